// The live chat page. Rows on the server are the truth: what arrives here only says
// when to fetch. Text arrives as plain text; it is swapped for the server-rendered
// Markdown when its message is stored.

const root = document.getElementById("chat");
const log = document.getElementById("log");
const liveZone = document.getElementById("live");
const turnZone = document.getElementById("turns");
const announcer = document.getElementById("announce");
const jump = document.getElementById("jump");
const streamState = document.getElementById("stream-state");
const words = root.dataset;
const isLivePage = words.live === "yes";

const HIDDEN_CLOSE_MS = 30_000;
const HIDDEN_POLL_MS = 15_000;
const POLL_MS = 3_000;
const OPEN_MS = 20_000;
const LAG_MS = 5_000;
const AGAIN_MS = 2_000;

// --- requests ---------------------------------------------------------------------

class Refused extends Error {
  constructor(response, body) {
    super(body?.errors?.[0]?.detail ?? words.textBroken);
    this.status = response.status;
    this.code = body?.errors?.[0]?.code ?? "";
    this.signIn = response.headers.get("X-Sign-In");
  }
}

const csrf = () =>
  document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ??
  document.querySelector("[name=csrfmiddlewaretoken]")?.value ??
  "";

async function request(address, { method = "GET", fields = null, as = "json" } = {}) {
  const headers = { "X-Requested-With": "fetch", Accept: as === "json" ? "application/json" : "text/html" };
  const options = { method, headers, credentials: "same-origin" };
  if (method === "POST") {
    headers["X-CSRFToken"] = csrf();
    options.body = new URLSearchParams(fields ?? {});
  }
  const response = await fetch(address, options);
  if (!response.ok) throw new Refused(response, await response.json().catch(() => null));
  return as === "json" ? response.json() : response.text();
}

const offerSignIn = (address) => window.dialogueOfferSignIn?.(address);

// --- scrolling: follow until the reader scrolls up ----------------------------------

const page = document.scrollingElement;
let following = !location.hash;
let lastTop = page.scrollTop;

const atEnd = () => page.scrollTop + window.innerHeight >= page.scrollHeight - 80;
const toEnd = () => {
  following = true;
  jump.hidden = true;
  page.scrollTop = page.scrollHeight;
  lastTop = page.scrollTop;
};
const grown = () => {
  if (following) toEnd();
  else if (!atEnd()) jump.hidden = false;
};
window.addEventListener(
  "scroll",
  () => {
    if (atEnd()) {
      following = true;
      jump.hidden = true;
    } else if (page.scrollTop < lastTop) {
      following = false;
    }
    lastTop = page.scrollTop;
  },
  { passive: true },
);
jump.addEventListener("click", toEnd);

// --- messages -----------------------------------------------------------------------

const messages = () => [...log.children].filter((each) => each.dataset.seq);
const lastSeq = () => Number(messages().at(-1)?.dataset.seq ?? 0);
const bySeq = (seq) => log.querySelector(`:scope > [data-seq="${Number(seq)}"]`);
const parsed = (html) => {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return holder.content;
};

function insertMessages(html) {
  let count = 0;
  for (const article of [...parsed(html).querySelectorAll("[data-seq]")]) {
    if (bySeq(article.dataset.seq)) continue;
    const seq = Number(article.dataset.seq);
    const later = messages().find((each) => Number(each.dataset.seq) > seq);
    log.insertBefore(article, later ?? null);
    settle(article);
    count += 1;
  }
  if (count) document.getElementById("chat-start")?.remove();
  return count;
}

// A stored message takes the place of what stood for it until now.
function settle(article) {
  const { role, turn, attempt, step, answers } = article.dataset;
  if (role === "assistant") {
    for (const bubble of [...liveZone.children]) {
      const same = bubble.dataset.turn === turn && bubble.dataset.attempt === attempt;
      if (same && (!step || Number(bubble.dataset.step) <= Number(step))) drop(bubble);
    }
  }
  if (answers) {
    const pending = log.querySelector(`[data-pending="${CSS.escape(answers)}"]`);
    const asked = pending?.closest("[data-seq]");
    pending?.remove();
    if (asked?.matches(".msg--wordless") && !asked.querySelector(".step")) asked.hidden = true;
  }
}

const isStored = ({ turn, attempt, step }) =>
  [...log.querySelectorAll(`[data-role="assistant"][data-turn="${CSS.escape(turn)}"]`)].some(
    (each) =>
      Number(each.dataset.attempt) === attempt &&
      (!each.dataset.step || Number(each.dataset.step) >= step),
  );

// --- the running answer ----------------------------------------------------------------

const HIDDEN_CHARS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
const shown = (text) =>
  text.replace(HIDDEN_CHARS, (c) => `U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`);

let live = null; // {turn, attempt, step, chars: code points, bubble, node}

function drop(bubble) {
  if (live?.bubble === bubble) live = null;
  bubble.remove();
}

function openBubble({ turn, attempt, step }) {
  for (const old of [...liveZone.children]) {
    const same = old.dataset.turn === turn && Number(old.dataset.attempt) === attempt;
    if (!same || Number(old.dataset.step) === step) drop(old);
  }
  const bubble = document.createElement("article");
  bubble.className = "msg msg--assistant msg--live";
  Object.assign(bubble.dataset, { turn, attempt, step });
  const head = document.createElement("header");
  head.className = "msg__head";
  const who = document.createElement("span");
  who.className = "msg__who";
  who.textContent = words.textAssistant;
  head.append(who);
  const body = document.createElement("div");
  body.className = "msg__text msg__text--plain";
  body.dir = "auto";
  const node = document.createTextNode("");
  body.append(node);
  bubble.append(head, body);
  liveZone.append(bubble);
  live = { turn, attempt, step, chars: [], bubble, node };
}

// Offsets count characters, not UTF-16 units. False means that a piece is missing.
function takeText(data) {
  if (isStored(data)) return true;
  const same =
    live && live.turn === data.turn && live.attempt === data.attempt && live.step === data.step;
  if (!same) {
    if (data.offset !== 0) return false;
    openBubble(data);
  }
  if (data.offset > live.chars.length) return false;
  const piece = Array.from(data.text);
  if (data.offset < live.chars.length) {
    live.chars.length = data.offset;
    live.node.data = shown(live.chars.join(""));
  }
  for (const char of piece) live.chars.push(char);
  live.node.appendData(shown(data.text));
  grown();
  return true;
}

// --- bringing the page up to date ----------------------------------------------------------

let syncing = null;
let syncAgain = false;
let syncTimer = 0;
let knownEvent = Number(words.lastEvent);
let unfinished = words.unfinished === "yes";
let over = false;

function syncSoon() {
  if (!syncTimer) syncTimer = setTimeout(sync, 40);
}

function sync() {
  clearTimeout(syncTimer);
  syncTimer = 0;
  if (over) return Promise.resolve();
  if (syncing) {
    syncAgain = true;
    return syncing;
  }
  syncing = syncOnce()
    .catch(failed)
    .finally(() => {
      syncing = null;
      if (syncAgain) {
        syncAgain = false;
        syncSoon();
      }
    });
  return syncing;
}

async function syncOnce() {
  for (;;) {
    const data = await request(`${words.sync}?after=${lastSeq()}`);
    const count = insertMessages(data.messages);
    showTurns(data);
    showFacts(data);
    if (count) grown();
    if (!data.more || !count) break;
  }
  if (cardsMissed) {
    cardsMissed = false;
    refreshCards();
  }
}

// What could not be fetched is fetched later: an event tells of it only once.
let againTimer = 0;
let cardsMissed = false;

function later() {
  clearTimeout(againTimer);
  againTimer = setTimeout(sync, AGAIN_MS);
}

function failed(error) {
  if (!(error instanceof Refused) || error.status >= 500) return later();
  if (error.status === 401) offerSignIn(error.signIn);
  if ([401, 403, 404].includes(error.status)) {
    over = error.status !== 401;
    closeStream();
    setPolling(false);
  }
}

function showTurns(data) {
  const now = parsed(data.turns);
  const look = (zone) => {
    const line = zone.querySelector("[data-turn-line]");
    return line ? `${line.dataset.turnLine} ${line.className} ${line.textContent}` : "";
  };
  if (look(now) !== look(turnZone)) {
    turnZone.replaceChildren(now);
    grown();
  }
  if (data.unfinished !== unfinished) {
    unfinished = data.unfinished;
    announcer.textContent = unfinished ? words.textAnswering : ended(data);
  }
  if (!unfinished) for (const bubble of [...liveZone.children]) drop(bubble);
  if (polling && data.live) takeText(data.live);
}

function ended(data) {
  if (document.hidden) document.title = `✓ ${tabTitle}`;
  return data.state === "done" ? words.textComplete : turnZone.textContent.trim();
}

let tabTitle = document.title;

function showFacts(data) {
  for (const [turn, mark] of Object.entries(data.marks)) {
    const place = log.querySelector(`[data-mark="${CSS.escape(turn)}"]`);
    if (place && place.textContent !== mark) place.textContent = mark;
  }
  document.getElementById("chat-cost").textContent = data.cost;
  document.dispatchEvent(new CustomEvent("dialogue:sync", { detail: data }));
  const title = document.getElementById("chat-title");
  if (data.title && data.title !== title.dataset.raw) {
    title.dataset.raw = data.title;
    title.textContent = shown(data.title);
    const listed = document.querySelector(".recent [aria-current]");
    if (listed) listed.textContent = shown(data.title);
    tabTitle = `${data.title} · Dialogue`;
    if (!document.hidden) document.title = tabTitle;
  }
  // Drafts are kept, so a page that may no longer send can be loaded again.
  if (data.status !== words.status) location.reload();
  if (data.event > knownEvent) {
    if (polling) refreshCards();
    watchLag(data.event);
  }
  if (polling) knownEvent = Math.max(knownEvent, data.event);
}

// A card in which somebody fills in a form is left alone, unless they have sent it.
const isInUse = (slot) => slot.querySelector("details[open] form")?.contains(document.activeElement);

function replaceCard(slot, fresh) {
  const hadFocus = slot.contains(document.activeElement);
  slot.replaceWith(fresh);
  if (hadFocus) fresh.querySelector("[tabindex='-1']")?.focus();
}

async function refreshCards(kind = "", id = "", { isOwn = false } = {}) {
  const chosen = kind ? `[data-card="${CSS.escape(kind)}"][data-id="${CSS.escape(id)}"]` : "";
  const slots = [...log.querySelectorAll(`.card-slot${chosen}`)];
  const addresses = new Set(slots.map((slot) => slot.dataset.url));
  for (const address of addresses) {
    try {
      const html = await request(address, { as: "text" });
      for (const slot of log.querySelectorAll(`.card-slot[data-url="${CSS.escape(address)}"]`)) {
        const fresh = parsed(html).querySelector(".card-slot");
        if (fresh && (isOwn || !isInUse(slot))) replaceCard(slot, fresh);
      }
      grown();
    } catch (error) {
      // One that may not be seen any more keeps its last look.
      if (error.status === 404) continue;
      cardsMissed = true;
      failed(error);
    }
  }
}

// --- the stream -----------------------------------------------------------------------------

let stream = null;
let position = String(knownEvent);
let wait = 1_000;
let quietTimer = 0;
let openTimer = 0;
let retryTimer = 0;
let lagTimer = 0;
let polling = false;
let pollTimer = 0;

function openStream() {
  closeStream();
  if (over || !window.EventSource) return setPolling(true);
  stream = new EventSource(`${words.events}?last_event_id=${encodeURIComponent(position)}`);
  openTimer = setTimeout(() => setPolling(true), OPEN_MS);
  stream.onopen = () => {
    clearTimeout(openTimer);
    say("");
    wait = 1_000;
  };
  stream.onerror = lost;
  const on = (name, take) =>
    stream.addEventListener(name, (event) => {
      const data = JSON.parse(event.data);
      position = event.lastEventId;
      knownEvent = Math.max(knownEvent, Number(position.split(".")[0]));
      clearTimeout(openTimer);
      setPolling(false);
      take(data);
    });
  on("text", (data) => {
    if (takeText(data)) return;
    // A gap: from the last whole event the server sends the text again from its start.
    position = position.split(".")[0];
    openStream();
  });
  on("message", syncSoon);
  on("turn", syncSoon);
  on("tool", () => {});
  on("conversation", syncSoon);
  on("card", (data) => refreshCards(data.card, data.id));
}

function closeStream() {
  for (const timer of [openTimer, quietTimer, retryTimer]) clearTimeout(timer);
  stream?.close();
  stream = null;
}

function lost() {
  clearTimeout(quietTimer);
  quietTimer = setTimeout(() => say("reconnecting"), 2_500);
  if (stream?.readyState !== EventSource.CLOSED) return;
  // Refused: ask plainly why, then come back with patience.
  retryTimer = setTimeout(async () => {
    await sync();
    if (!over && !document.hidden) openStream();
  }, wait);
  wait = Math.min(wait * 2, 30_000);
}

function say(state) {
  clearTimeout(quietTimer);
  if (streamState) streamState.textContent = state ? words_of(state) : "";
}
const words_of = (state) => streamState.dataset[state] ?? "";

// The server knows of events that the stream has not brought: something holds it back.
function watchLag(event) {
  if (lagTimer || polling || document.hidden) return;
  lagTimer = setTimeout(() => {
    lagTimer = 0;
    if (knownEvent < event && !document.hidden) setPolling(true);
  }, LAG_MS);
}

function setPolling(on) {
  if (on === polling) return;
  polling = on;
  clearInterval(pollTimer);
  say(on ? "polling" : "");
  if (on) {
    pollTimer = setInterval(sync, POLL_MS);
    sync();
  }
}

// --- tabs in the background give their connection back -----------------------------------------

let hiddenTimer = 0;
let hiddenPoll = 0;

document.addEventListener("visibilitychange", () => {
  clearTimeout(hiddenTimer);
  clearInterval(hiddenPoll);
  if (document.hidden) {
    hiddenTimer = setTimeout(() => {
      closeStream();
      setPolling(false);
      hiddenPoll = setInterval(() => unfinished && sync(), HIDDEN_POLL_MS);
    }, HIDDEN_CLOSE_MS);
    return;
  }
  document.title = tabTitle;
  if (!stream && isLivePage) {
    sync();
    openStream();
  }
});
window.addEventListener("online", () => isLivePage && sync());
window.addEventListener("pagehide", closeStream);
window.addEventListener("pageshow", (event) => {
  if (event.persisted && isLivePage) openStream();
});

// --- earlier messages ---------------------------------------------------------------------------

root.addEventListener("click", async (event) => {
  const link = event.target.closest("[data-older]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    const html = await request(link.dataset.older, { as: "text" });
    const before = page.scrollHeight;
    link.closest(".chat-older").remove();
    log.prepend(parsed(html));
    page.scrollTop += page.scrollHeight - before;
  } catch (error) {
    if (error instanceof Refused) failed(error);
    else location.href = link.href;
  }
});

// --- stop and retry -------------------------------------------------------------------------------

root.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-act]");
  if (!form) return;
  event.preventDefault();
  // Not disabled: a button that is loses the focus, and with it somebody's place.
  const button = form.querySelector("button");
  if (button.ariaDisabled === "true") return;
  button.ariaDisabled = "true";
  try {
    await request(form.action, { method: "POST", fields: new FormData(form) });
    form.closest("details[open]")?.removeAttribute("open");
  } catch (error) {
    if (error.status === 401) offerSignIn(error.signIn);
    else showError(error instanceof Refused ? error.message : words.textOffline);
  }
  button.ariaDisabled = null;
  const slot = form.closest(".card-slot");
  await sync();
  if (slot) refreshCards(slot.dataset.card, slot.dataset.id, { isOwn: true });
});

// --- the composer -----------------------------------------------------------------------------------

const composer = document.getElementById("composer");
const area = document.getElementById("composer-text");
const problem = document.getElementById("composer-error");
const draftName = `dialogue:draft:${words.user}:${words.conversation}`;
const isTouch = window.matchMedia("(hover: none) and (pointer: coarse)").matches;

const newKey = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};
let key = composer?.elements.client_key.value;
let keyText = null; // The text that went out under this key and was not acknowledged.

function showError(text) {
  if (!problem) return;
  problem.textContent = text;
  problem.hidden = !text;
}

const store = {
  read() {
    try {
      return JSON.parse(localStorage.getItem(draftName) ?? "null");
    } catch {
      return null;
    }
  },
  write() {
    try {
      if (area.value) localStorage.setItem(draftName, JSON.stringify({ text: area.value, key, keyText }));
      else localStorage.removeItem(draftName);
    } catch {
      // Without storage the text still stands in the field.
    }
  },
};

function fit() {
  area.style.height = "auto";
  area.style.height = `${Math.min(area.scrollHeight + 2, window.innerHeight * 0.4)}px`;
  if (following && isLivePage) toEnd();
}

async function send() {
  const text = area.value;
  if (!text.trim() || area.readOnly) return;
  // The key of a text that may have arrived is kept for that text alone.
  if (keyText !== null && keyText !== text) key = newKey();
  keyText = text;
  store.write();
  area.readOnly = true;
  showError("");
  try {
    await request(composer.action, { method: "POST", fields: { text, client_key: key } });
    area.value = "";
    key = newKey();
    keyText = null;
    following = true;
  } catch (error) {
    if (!(error instanceof Refused)) showError(words.textOffline);
    else if (error.status === 401) {
      showError(words.textSession);
      offerSignIn(error.signIn);
    } else showError(error.message);
    if (error.code === "client_key_reused") key = newKey();
  }
  area.readOnly = false;
  store.write();
  fit();
  area.focus();
  await sync();
}

if (composer) {
  const kept = store.read();
  if (kept && !area.value) {
    area.value = kept.text;
    if (kept.keyText !== null) ({ key, keyText } = kept);
  }
  area.addEventListener("input", () => {
    store.write();
    fit();
  });
  area.addEventListener("keydown", (event) => {
    // Safari ends a composition with keyCode 229 and isComposing already false.
    const composing = event.isComposing || event.keyCode === 229;
    if (event.key !== "Enter" || event.shiftKey || composing || isTouch) return;
    event.preventDefault();
    send();
  });
  composer.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  fit();
  if (!isTouch) area.focus({ preventScroll: true });
}
document.getElementById("title-input")?.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.isComposing || event.keyCode === 229)) event.preventDefault();
});

// --- begin ---------------------------------------------------------------------------------------------

if (isLivePage) {
  if (!location.hash) toEnd();
  openStream();
}
root.dataset.ready = "yes";
