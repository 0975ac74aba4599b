/** Marks the section of the text that is read in the list at its side. */
const links = [...document.querySelectorAll<HTMLAnchorElement>('.toc a')];
const headings = links.map((link) => document.getElementById(link.hash.slice(1)));
/** Below the top bar a heading counts as read. */
const READ_BELOW = 120;

function mark(): void {
  const read = headings.findLastIndex(
    (heading) => heading && heading.getBoundingClientRect().top < READ_BELOW,
  );
  const current = Math.max(0, read);
  for (const [i, link] of links.entries()) {
    if (i === current) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

if (links.length > 0) {
  addEventListener('scroll', mark, { passive: true });
  mark();
}
