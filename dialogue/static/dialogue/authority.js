// Grants count down, and the fold "why" of a turn is fetched when it is opened. What
// is shown here is the server's: a page without this script shows the same, standing.

const zone = document.getElementById("grants");
const page = document.documentElement;

// --- the time that is left -----------------------------------------------------------

const unit = (name) =>
  new Intl.NumberFormat(page.lang, { style: "unit", unit: name, unitDisplay: "short" });
const units = { hour: unit("hour"), minute: unit("minute"), second: unit("second") };

function left(seconds) {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (hours) return `${units.hour.format(hours)} ${units.minute.format(minutes)}`;
  return `${units.minute.format(minutes)} ${units.second.format(seconds % 60)}`;
}

function tick() {
  for (const time of document.querySelectorAll("[data-countdown]")) {
    const seconds = Math.ceil(Number(time.dataset.countdown) - Date.now() / 1000);
    const text = seconds > 0 ? left(seconds) : time.dataset.over;
    if (time.textContent !== text) time.textContent = text;
  }
}
setInterval(tick, 1_000);
tick();

// --- grants, as the server has them --------------------------------------------------

let known = null;

document.addEventListener("dialogue:sync", ({ detail }) => {
  const html = detail.grants;
  if (!zone || typeof html !== "string") return;
  // The countdown changes the page's own text, so what was sent is compared.
  const plain = html.replace(/value="[^"]*"/g, "").replace(/>[^<]*<\/time>/g, "");
  if (plain === known) return;
  known = plain;
  const hadFocus = zone.contains(document.activeElement);
  const holder = document.createElement("template");
  holder.innerHTML = html.trim();
  zone.replaceChildren(holder.content);
  if (hadFocus) (zone.querySelector("button, a") ?? document.getElementById("composer-text"))?.focus();
  tick();
});

// --- why, and why not ----------------------------------------------------------------

document.addEventListener(
  "toggle",
  async ({ target: fold }) => {
    if (!fold.matches?.("[data-why]") || !fold.open) return;
    const body = fold.querySelector("[data-why-body]");
    try {
      const response = await fetch(fold.dataset.why, {
        headers: { "X-Requested-With": "fetch", Accept: "text/html" },
        credentials: "same-origin",
      });
      if (!response.ok) return;
      const holder = document.createElement("template");
      holder.innerHTML = await response.text();
      body.replaceChildren(holder.content);
    } catch {
      // The link to the page of its own stays.
    }
  },
  true,
);
