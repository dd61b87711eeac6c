// The edit page: adds and removes entries of lists at once. Without this script the
// same buttons ask the server for the form with one entry more or less.
(() => {
  "use strict";

  const renumber = (list) => {
    list.querySelectorAll("[data-place]").forEach((place, index) => {
      place.textContent = String(index + 1);
    });
  };

  const fieldOf = (row) => row.querySelector("input, textarea");

  // One more than every number in use, so that no two entries share their names.
  const nextNumber = (list) => {
    const start = `${list.dataset.list}.`.length;
    const used = [...list.querySelectorAll("[data-remove]")].map((button) =>
      Number(button.value.slice(start)),
    );
    return Math.max(-1, ...used) + 1;
  };

  const add = (list) => {
    const number = String(nextNumber(list));
    const template = list.querySelector("template");
    const row = template.content.firstElementChild.cloneNode(true);
    for (const part of [row, ...row.querySelectorAll("*")]) {
      for (const { name, value } of [...part.attributes]) {
        if (value.includes("__n__")) part.setAttribute(name, value.replace("__n__", number));
      }
    }
    template.before(row);
    renumber(list);
    fieldOf(row).focus();
  };

  const remove = (list, row) => {
    const rows = [...list.querySelectorAll("[data-row]")];
    const next = rows[rows.indexOf(row) + 1] || rows[rows.indexOf(row) - 1];
    row.remove();
    renumber(list);
    (next ? fieldOf(next) : list.querySelector("[data-add]")).focus();
  };

  for (const list of document.querySelectorAll("[data-list]")) {
    list.addEventListener("click", (event) => {
      const button = event.target.closest("[data-add], [data-remove]");
      if (!button) return;
      event.preventDefault();
      if (button.matches("[data-add]")) add(list);
      else remove(list, button.closest("[data-row]"));
    });
  }
})();
