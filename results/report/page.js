const controls = ["words", "target", "subject", "status"].map(id => document.getElementById(id));
const causes = [...document.querySelectorAll("details.part[data-status]")];
const texts = causes.map(one => one.textContent.toLowerCase());
function choose() {
  const [words, target, subject, status] = controls.map(one => one.value);
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  causes.forEach((one, number) => {
    const fits = wanted.every(word => texts[number].includes(word))
      && (!target || one.dataset.target.split(" ").includes(target))
      && (!subject || one.dataset.subject.split("\n").includes(subject))
      && (!status || one.dataset.status === status);
    one.hidden = !fits; shown += fits;
  });
  document.querySelectorAll("tr[data-target]").forEach(row => {
    row.hidden = (target && row.dataset.target !== target) || (subject && row.dataset.subject !== subject); });
  document.getElementById("count").textContent = shown + " of " + causes.length + " causes";
}
controls.forEach(one => one.addEventListener("input", choose));
function open() { const one = document.getElementById(location.hash.slice(1)); if (one && one.tagName === "DETAILS") { one.open = true; one.scrollIntoView(); } }
addEventListener("hashchange", open); open();

const names = JSON.parse(document.getElementById("names").textContent);
document.querySelectorAll("figure").forEach(figure => {
  const values = figure.dataset.values.split(" "), told = figure.querySelector("b"), most = told.textContent;
  figure.addEventListener("pointermove", event => {
    const box = figure.getBoundingClientRect();
    const night = Math.min(values.length - 1, Math.max(0, Math.floor((event.clientX - box.left) / box.width * values.length)));
    told.textContent = names[night] + ": " + values[night] + " " + figure.dataset.unit;
  });
  figure.addEventListener("pointerleave", () => { told.textContent = most; });
});
