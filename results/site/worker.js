/* The models, in a worker: Pyodide with the wheels and the modules that lie beside this file. */
import { loadPyodide } from "./pyodide/pyodide.mjs";

let answer;

/* Pyodide waits for ever for a program that does not come, so every file that is asked for is watched. */
const request = fetch;
self.fetch = async (address, options) => {
  const name = new URL(address, import.meta.url).pathname.split("/").pop();
  try {
    const response = await request(address, options);
    if (response.ok) return response;
    throw new Error(response.status + " " + response.statusText);
  } catch (error) {
    postMessage({ failed: name + ": " + error.message });
    throw error;
  }
};

function fetched(name) {
  return fetch(new URL(name, import.meta.url));
}

async function start() {
  postMessage({ step: "Loading Python." });
  const { archives, clauses } = await (await fetched("files.json")).json();
  // These come while Python does.
  const coming = Promise.all(archives.map(async name => [name, await (await fetched(name)).arrayBuffer()]));
  const pyodide = await loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href });
  postMessage({ step: "Loading the models." });
  for (const [name, data] of await coming) pyodide.unpackArchive(data, name.endsWith(".whl") ? "wheel" : "zip");
  const models = pyodide.pyimport("abiprobe.harness.api.playground");
  answer = models.answer;
  postMessage({ ready: true, clauses });
}

onmessage = event => {
  const { number, source, target, columns } = event.data, begun = performance.now();
  let text;
  try {
    text = answer(source, target, columns);
  } catch (error) {
    text = JSON.stringify({ places: "", derivation: "", clauses: [], skipped: [], hint: "",
      problem: "abiprobe made a mistake: " + String(error.message || error).trim().split("\n").pop() });
  }
  postMessage({ number, answer: text, seconds: (performance.now() - begun) / 1000 });
};

start().catch(error => postMessage({ failed: String(error.message || error).split("\n")[0] }));
