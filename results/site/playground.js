"use strict";
/* The page of the playground. The models run in a worker, so that the page stays usable, and a question that never ends can be given up. */

const SECONDS = 30;
const MOST = 120, LEAST = 64;
const at = id => document.getElementById(id);
const state = { worker: null, ready: false, asked: 0, waiting: null, limit: 0, clauses: {} };

function tell(text, wrong) {
  at("state").textContent = text;
  at("state").className = wrong ? "wrong" : "";
}

/* Why the program did not come, as far as a page can know. */
function missing(detail) {
  if (location.protocol === "file:")
    return "A browser loads no program for a page that was opened as a file. Serve the folder, for example with python3 -m http.server, and open it from there.";
  if (!navigator.onLine) return "There is no network, and the program of this page (about 15 MB) must be loaded once. Reload the page when there is one.";
  return "The program of this page could not be loaded: " + detail;
}

function start() {
  state.ready = false;
  if (location.protocol === "file:") { tell(missing(""), true); return; }
  const begun = performance.now();
  state.worker = new Worker("playground/worker.js", { type: "module" });
  state.worker.onerror = event => { event.preventDefault(); tell(missing(event.message || "playground/worker.js"), true); };
  state.worker.onmessage = event => {
    const said = event.data;
    if (said.step) tell(said.step, false);
    else if (said.failed) {
      state.worker.terminate();
      tell(missing(said.failed), true);
    }
    else if (said.ready) {
      state.ready = true;
      state.clauses = said.clauses;
      at("go").disabled = false;
      tell("Ready after " + ((performance.now() - begun) / 1000).toFixed(1) + " s.", false);
      ask();
    } else if (said.number === state.asked) {
      clearTimeout(state.limit);
      show(JSON.parse(said.answer), said.seconds);
    }
  };
}

/* As many columns as the page has room for. */
function columns() {
  const ruler = document.createElement("span");
  ruler.className = "mono sr";
  ruler.textContent = "0".repeat(100);
  at("answer").parentElement.append(ruler);
  const wide = ruler.scrollWidth / 100;
  ruler.remove();
  const room = Math.floor((at("ask").clientWidth - 36) / (wide || 8));
  return Math.max(LEAST, Math.min(MOST, room));
}

function ask() {
  if (!state.ready) return;
  const question = { number: ++state.asked, source: at("source").value, target: at("target").value, columns: columns() };
  history.replaceState(null, "", "#" + new URLSearchParams({ target: question.target, c: question.source }));
  tell("Working.", false);
  clearTimeout(state.limit);
  state.limit = setTimeout(() => {
    state.worker.terminate();
    tell("No answer within " + SECONDS + " s: given up. Starting anew.", true);
    start();
  }, SECONDS * 1000);
  state.worker.postMessage(question);
}

function show(answer, seconds) {
  at("answer").hidden = false;
  at("problem").textContent = answer.problem + (answer.hint ? " (" + answer.hint + ")" : "");
  at("skipped").replaceChildren(...answer.skipped.map(line => {
    const item = document.createElement("li");
    item.className = "wrong";
    item.textContent = "Not asked: " + line;
    return item;
  }));
  at("places").textContent = answer.places;
  at("derivation").textContent = answer.derivation;
  at("places-part").hidden = at("derivation-part").hidden = !answer.places;
  at("clauses").replaceChildren(...linked(answer.clauses));
  tell(answer.problem ? "No answer." : "Answered in " + seconds.toFixed(2) + " s.", Boolean(answer.problem));
}

/* Links to the clauses that have a page in this folder. */
function linked(clauses) {
  const pages = state.clauses;
  return clauses.filter(name => pages[name]).flatMap((name, order) => {
    const link = document.createElement("a");
    link.href = pages[name];
    link.className = "mono";
    link.textContent = name;
    return order ? [", ", link] : ["Pages of the clauses: ", link];
  });
}

function asked() {
  const given = new URLSearchParams(location.hash.slice(1)), target = given.get("target");
  if (target && ![...at("target").options].some(one => one.value === target)) at("target").add(new Option(target));
  if (target) at("target").value = target;
  if (given.get("c") !== null) at("source").value = given.get("c");
}

document.addEventListener("DOMContentLoaded", () => {
  asked();
  let typing = 0;
  at("ask").addEventListener("submit", event => { event.preventDefault(); ask(); });
  at("target").addEventListener("change", ask);
  at("source").addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(ask, 400); });
  at("source").addEventListener("keydown", event => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) ask(); });
  window.addEventListener("hashchange", () => { asked(); ask(); });
  start();
});
