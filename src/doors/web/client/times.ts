/** Times in the visitor's zone with UTC on hover, and countdowns to the next settlement. */
const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

function localise(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLTimeElement>('time[datetime]')) {
    if (element.dataset.countdown !== undefined || element.dataset.done !== undefined) continue;
    const at = new Date(element.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    element.title = `${element.dateTime.replace('T', ' ').replace('Z', '')} UTC`;
    element.textContent = (element.dataset.clock === undefined ? SHORT : CLOCK).format(at);
    element.dataset.done = '';
  }
}

function countDown(): void {
  for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-countdown]')) {
    const text = left(Math.round((Date.parse(element.dateTime) - Date.now()) / 1000));
    if (element.textContent === text) continue;
    element.title = `${element.dateTime.replace('T', ' ').replace('Z', '')} UTC`;
    element.textContent = text;
  }
}

/** With delayed data the time may be past. */
function left(seconds: number): string {
  if (seconds > 0) return `in ${spell(seconds)}`;
  return seconds > -60 ? 'now' : `${spell(-seconds)} ago`;
}

function spell(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  // Without seconds from 10 minutes on: each change makes the browser lay out the whole table again.
  if (minutes >= 10) return `${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

localise(document);
countDown();
setInterval(countDown, 1000);
new MutationObserver((changes) => {
  for (const change of changes)
    for (const node of change.addedNodes) if (node instanceof Element) localise(node.parentNode ?? node);
}).observe(document.body, { childList: true, subtree: true });
