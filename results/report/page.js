const controls = Object.fromEntries(["words", "target", "subject", "status"].map(id => [id, document.getElementById(id)]));
const causes = [...document.querySelectorAll("details.cause")];
const groups = [...document.querySelectorAll("details.group")];
const texts = causes.map(one => one.textContent.toLowerCase());

/* Filters: which causes are shown, and what the address says of them */
function choose() {
  if (!controls.words) return;
  const [words, target, subject, status] = Object.values(controls).map(one => one.value);
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  causes.forEach((one, number) => {
    const fits = wanted.every(word => texts[number].includes(word))
      && (!target || one.dataset.target.split(" ").includes(target))
      && (!subject || one.dataset.subject.split("\n").includes(subject))
      && (!status || one.dataset.status === status || one.dataset.label === status);
    one.hidden = !fits; shown += fits;
  });
  const filtered = Boolean(wanted.length || target || subject || status);
  groups.forEach(group => {
    const any = group.querySelector("details.cause:not([hidden])") !== null;
    group.hidden = !any;
    if (filtered && any) group.open = true;
    group.querySelectorAll("section").forEach(part => { part.hidden = !part.querySelector("details.cause:not([hidden])"); });
  });
  document.querySelectorAll("tr[data-target]").forEach(row => {
    row.hidden = (target && row.dataset.target !== target) || (subject && row.dataset.subject !== subject); });
  document.getElementById("count").textContent = filtered
    ? shown + " of " + causes.length + (causes.length === 1 ? " cause" : " causes") + " shown" : "";
}
function remember() {
  const set = Object.entries(controls).filter(([, one]) => one.value).map(([id, one]) => [id, one.value]);
  history.replaceState(null, "", "#" + new URLSearchParams(set));
}
/* The address is #ID of a cause or heading, or #words=...&target=...&subject=...&status=... */
function follow() {
  const hash = location.hash.slice(1);
  if (hash.includes("=")) {
    const asked = new URLSearchParams(hash);
    for (const [id, one] of Object.entries(controls)) if (one) one.value = asked.get(id) || "";
    choose();
    return;
  }
  const one = document.getElementById(hash);
  if (!one) return;
  for (let up = one; up; up = up.parentElement) if (up.tagName === "DETAILS") { up.open = true; up.hidden = false; }
  one.scrollIntoView();
}
Object.values(controls).forEach(one => one && one.addEventListener("input", () => { choose(); remember(); }));
addEventListener("hashchange", follow); choose(); follow();

/* Copying, also where the browser keeps the clipboard from a local file */
function copy(text, button) {
  const done = () => { const before = button.textContent; button.textContent = "copied"; setTimeout(() => { button.textContent = before; }, 1500); };
  const byHand = () => {
    const area = document.body.appendChild(document.createElement("textarea"));
    area.value = text; area.select();
    if (document.execCommand("copy")) done();
    area.remove();
  };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, byHand); else byHand();
}
function button(label, title, text) {
  const made = document.createElement("button");
  made.type = "button"; made.textContent = label; made.setAttribute("aria-label", title);
  made.addEventListener("click", event => { event.preventDefault(); copy(text(), made); });
  return made;
}
document.querySelectorAll(".cmd").forEach(one => { const line = one.textContent; one.append(button("copy", "copy the command", () => line)); });
causes.forEach(one => one.querySelector("summary").after(
  button("copy link", "copy a link to this cause", () => location.href.split("#")[0] + "#" + one.id)));

/* Bars: what the one under the pointer stands for */
const names = JSON.parse(document.getElementById("names").textContent);
document.querySelectorAll("figure").forEach(figure => {
  const values = figure.dataset.values.split(" "), told = figure.querySelector("b"), most = told.textContent;
  figure.addEventListener("pointermove", event => {
    const box = figure.getBoundingClientRect();
    const night = Math.min(values.length - 1, Math.max(0, Math.floor((event.clientX - box.left) / box.width * values.length)));
    const unit = values[night] === "1" ? figure.dataset.unit.replace(/s$/, "") : figure.dataset.unit;
    told.textContent = names[night] + ": " + values[night] + " " + unit;
  });
  figure.addEventListener("pointerleave", () => { told.textContent = most; });
});
