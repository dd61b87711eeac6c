// What every page does: menus, questions before an act, one submit at a time, the
// reader's time zone, and a way back in when the session has ended.
(() => {
  "use strict";

  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !/(^|; )time_zone=/.test(document.cookie)) {
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `time_zone=${zone}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  }

  const closeMenus = (except) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (menu !== except) menu.open = false;
    }
  };
  document.addEventListener("click", (event) => {
    closeMenus(event.target.closest("details.menu"));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const menu = document.querySelector("details.menu[open]");
    if (menu) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });

  // data-confirm="Question?" on a form or on the button that submits it.
  const ask = (question, danger) => {
    const dialog = document.getElementById("confirm-dialog");
    if (!dialog || !dialog.showModal) return Promise.resolve(window.confirm(question));
    dialog.querySelector("#confirm-text").textContent = question;
    const yes = dialog.querySelector("[data-confirm-yes]");
    yes.classList.toggle("btn--danger", danger);
    yes.classList.toggle("btn--primary", !danger);
    dialog.returnValue = "no";
    dialog.showModal();
    return new Promise((resolve) => {
      dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), {
        once: true,
      });
    });
  };

  const confirmed = new WeakSet();
  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      if (form.method === "dialog") return;
      const button = event.submitter;
      const question = button?.dataset.confirm ?? form.dataset.confirm;
      if (question && !confirmed.has(form)) {
        event.preventDefault();
        event.stopImmediatePropagation();
        const danger = Boolean(button?.classList.contains("btn--danger"));
        ask(question, danger).then((yes) => {
          if (!yes) return;
          confirmed.add(form);
          form.requestSubmit(button ?? undefined);
        });
        return;
      }
      confirmed.delete(form);
    },
    true,
  );

  // One submit at a time; a page that comes back from the cache can submit again.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method === "dialog" || form.hasAttribute("hx-post")) return;
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
    setTimeout(() => {
      for (const button of form.querySelectorAll("button:not([type=button])")) {
        button.setAttribute("aria-disabled", "true");
      }
    });
  });
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) {
      delete form.dataset.sent;
      for (const button of form.querySelectorAll("[aria-disabled]")) {
        button.removeAttribute("aria-disabled");
      }
    }
  });

  // data-copy="#id": copy that element's text; data-copied is what the button says then.
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const source = document.querySelector(button.dataset.copy);
    if (!source || !navigator.clipboard) return;
    await navigator.clipboard.writeText(source.textContent.trim());
    if (button.dataset.copied) button.textContent = button.dataset.copied;
  });

  // A script that meets 401 calls this (or fires the event): sign in, come back.
  const offerSignIn = (address) => {
    const dialog = document.getElementById("sign-in-dialog");
    if (!dialog || dialog.open) return;
    const link = dialog.querySelector("[data-sign-in]");
    const here = location.pathname + location.search;
    link.href = `${address || link.getAttribute("href").split("?")[0]}?next=${encodeURIComponent(here)}`;
    link.addEventListener("click", () => dialog.close(), { once: true });
    dialog.showModal();
  };
  window.dialogueOfferSignIn = offerSignIn;
})();
