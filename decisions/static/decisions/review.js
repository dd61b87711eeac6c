// The decision page: folds long texts, holds approval back until each was opened
// once, and lets a form be sent once. Everything works without this script.
(() => {
  "use strict";

  const page = document.querySelector(".review");
  if (!page) return;
  const number = new Intl.NumberFormat(document.documentElement.lang || "en");
  const openLabel = page.dataset.openLabel || "{n} +";
  const closeLabel = page.dataset.closeLabel || "–";

  const approve = document.querySelector("[data-approve]");
  const hint = document.querySelector("[data-fold-hint]");
  const unseen = new Set();

  // Only what is on the page to be read counts; a copy inside <details> does not.
  const mustBeRead = (text) => !text.closest("details");

  const hold = () => {
    if (!approve) return;
    const summary = approve.querySelector("summary");
    const held = unseen.size > 0;
    approve.classList.toggle("is-held", held);
    summary.setAttribute("aria-disabled", String(held));
    for (const button of approve.querySelectorAll("button")) button.disabled = held;
    if (held) approve.open = false;
    if (hint) hint.hidden = !held;
  };

  for (const text of document.querySelectorAll("[data-fold]")) {
    const toggle = document.createElement("button");
    toggle.type = "button";
    toggle.className = "review-fold";
    const length = number.format(Number(text.dataset.fold));
    const show = (open) => {
      text.classList.toggle("is-folded", !open);
      toggle.setAttribute("aria-expanded", String(open));
      toggle.textContent = open ? closeLabel : openLabel.replace("{n}", length);
    };
    toggle.addEventListener("click", () => {
      show(text.classList.contains("is-folded"));
      unseen.delete(text);
      hold();
    });
    text.after(toggle);
    show(false);
    if (mustBeRead(text)) unseen.add(text);
  }
  hold();

  if (approve) {
    approve.querySelector("summary").addEventListener("click", (event) => {
      if (unseen.size === 0) return;
      event.preventDefault();
      const next = [...unseen][0];
      next.scrollIntoView({ block: "center" });
    });
  }

  // A missing note is asked for in the page's own language, clear of the bar below.
  const note = document.getElementById("decision-note");
  if (note) {
    note.addEventListener("invalid", () => {
      note.setCustomValidity(note.dataset.missing);
      note.scrollIntoView({ block: "center" });
    });
    note.addEventListener("input", () => note.setCustomValidity(""));
  }

  for (const form of document.querySelectorAll("form[data-once]")) {
    form.addEventListener("submit", () => {
      // After the form's data was collected: a disabled button sends no value.
      setTimeout(() => {
        const own = `button[form="${form.id}"]`;
        const buttons = [...form.querySelectorAll("button")];
        if (form.id) buttons.push(...document.querySelectorAll(own));
        for (const button of buttons) button.disabled = true;
      }, 0);
    });
  }

  // Somebody else may settle the request while this page is open: say so, and leave
  // what was typed alone.
  const stateUrl = page.dataset.stateUrl;
  const moved = page.querySelector("[data-moved]");
  if (stateUrl && moved) {
    const timer = setInterval(async () => {
      if (document.hidden) return;
      try {
        const response = await fetch(stateUrl, { headers: { Accept: "application/json" } });
        if (!response.ok) return;
        const { state } = await response.json();
        if (state === page.dataset.state) return;
        moved.hidden = false;
        clearInterval(timer);
      } catch {
        // Offline for a moment: asked again in a moment.
      }
    }, 5000);
  }

  // A page taken from the browser's history may be sent again by mistake: load it.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) window.location.reload();
  });
})();
