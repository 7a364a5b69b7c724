"use strict";
/* Everything works without this script but the search, the filter and the copying of commands. It loads nothing. */

/* The search: every word must occur; a word in the title counts most. */
function ranked(index, asked) {
  const wanted = asked.toLowerCase().split(/\s+/).filter(Boolean);
  if (!wanted.length) return [];
  const found = [];
  index.forEach((item, order) => {
    const title = item.title.toLowerCase(), about = item.about.toLowerCase(), words = item.words.toLowerCase();
    let rank = 0;
    for (const word of wanted) {
      const here = title === word ? 16 : title.startsWith(word) ? 8 : title.includes(word) ? 6
        : about.includes(word) ? 3 : words.includes(word) ? 1 : 0;
      if (!here) return;
      rank += here;
    }
    found.push([rank, order, item]);
  });
  return found.sort((one, other) => other[0] - one[0] || one[1] - other[1]).map(one => one[2]);
}

const MOST = 100;

function search(index) {
  const field = document.getElementById("q"), list = document.getElementById("results"), told = document.getElementById("found");
  function show() {
    const found = ranked(index, field.value);
    list.replaceChildren(...found.slice(0, MOST).map(item => {
      const line = document.createElement("li"), link = document.createElement("a");
      const kind = document.createElement("span"), about = document.createElement("p");
      link.href = item.at; link.textContent = item.title;
      if (item.kind !== "cause") link.className = "mono";
      kind.className = "kind"; kind.textContent = item.kind;
      about.textContent = item.about;
      line.append(link, kind, about);
      return line;
    }));
    told.textContent = !field.value.trim() ? index.length + " pages can be found."
      : !found.length ? "Nothing has all of these words."
      : found.length + (found.length === 1 ? " page" : " pages")
        + (found.length > MOST ? ", of which the first " + MOST + " are shown" : "");
  }
  function follow() { field.value = new URLSearchParams(location.search).get("q") || ""; show(); }
  field.addEventListener("input", () => {
    const words = field.value.trim();
    try { history.replaceState(null, "", words ? "?q=" + encodeURIComponent(words) : location.pathname); } catch { /* of a file, some browsers keep it */ }
    show();
  });
  field.form.addEventListener("submit", event => event.preventDefault());
  addEventListener("popstate", follow);
  follow();
  field.focus();
}

/* The filter of the list of causes */
function filter(form) {
  const list = document.getElementById(form.dataset.filter), lines = [...list.querySelectorAll("li")];
  const [words, abi, family] = ["words", "abi", "family"].map(name => form.querySelector("#" + name));
  const texts = lines.map(line => line.textContent.toLowerCase());
  function choose() {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    lines.forEach((line, number) => {
      const fits = wanted.every(word => texts[number].includes(word))
        && (!abi.value || line.dataset.abi.split(" ").includes(abi.value))
        && (!family.value || line.dataset.family.split(" ").includes(family.value));
      line.hidden = !fits; shown += fits;
    });
    list.querySelectorAll("section").forEach(part => { part.hidden = !part.querySelector("li:not([hidden])"); });
    form.querySelector("output").textContent = shown === lines.length ? "" : shown + " of " + lines.length;
  }
  form.addEventListener("input", choose);
  form.addEventListener("submit", event => event.preventDefault());
  form.hidden = false;
  choose();
}

/* Copying, also where the browser keeps the clipboard from a local file */
function copyable(block) {
  const text = block.textContent, button = document.createElement("button");
  const said = words => { button.textContent = words; setTimeout(() => { button.textContent = "copy"; }, 1500); };
  function byHand() {
    const area = document.body.appendChild(document.createElement("textarea"));
    area.value = text; area.select();
    said(document.execCommand("copy") ? "copied" : "not copied");
    area.remove();
  }
  button.type = "button"; button.textContent = "copy"; button.setAttribute("aria-label", "copy the command");
  button.addEventListener("click", () => {
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => said("copied"), byHand); else byHand();
  });
  block.append(button);
}

document.querySelectorAll("form[data-filter]").forEach(filter);
document.querySelectorAll(".cmd").forEach(copyable);
document.addEventListener("keydown", event => {
  const field = document.getElementById("q"), busy = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "/" && field && !busy && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); field.focus(); }
});
addEventListener("DOMContentLoaded", () => { if (typeof abiprobeIndex !== "undefined") search(abiprobeIndex); });
