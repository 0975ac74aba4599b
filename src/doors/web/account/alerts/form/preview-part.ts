import type { LastDay } from '../../../../../alerts/preview/last-day.ts';
import type { Preview } from '../../../../../alerts/preview/preview.ts';
import { type Html, html } from '../../../markup/html.ts';
import { icon } from '../../../markup/icons/ui-icons.ts';
import type { Subject } from '../subjects.ts';

/** A text: why there is no preview. */
export type Previewed = Preview | string;

/** What the alert would do now. A script brings it up to date while the form is filled in. */
export function previewPart(subject: Subject, preview: Previewed): Html {
  return html`<section class="card alert-preview" id="preview" aria-live="polite" aria-label="Preview">
    ${typeof preview === 'string' ? html`<p class="mut">${preview}</p>` : counted(subject, preview)}
    <p class="by-script"><button class="btn" type="submit" name="do" value="check" formnovalidate>Check</button></p>
  </section>`;
}

function counted({ noun }: Subject, { nowCount, fitCount, lastDay, text, isExample }: Preview): Html {
  const all = nowCount === fitCount ? '' : ` of ${plural(fitCount, noun)} that it watches`;
  return html`<p class="counts">
      <span>Matches now: <b>${nowCount.toLocaleString('en-US')}</b>${all}</span>
      ${lastDayWords(lastDay)}
    </p>
    ${
      text === null
        ? html`<p class="mut">No ${noun} fits now, so there is no message to show.</p>`
        : html`<figure class="message">
          <figcaption>${isExample ? 'The message, for example with the number at your value' : 'The message'}</figcaption>
          <blockquote>${icon('bell')}<p>${text}</p></blockquote>
        </figure>`
    }`;
}

function lastDayWords(lastDay: LastDay): Html {
  switch (lastDay.kind) {
    case 'minutes':
      return html`<span>in the last ${lastDay.hours} h: <b>${plural(lastDay.times, 'time')}</b></span>
        <small>counted from the mid prices of each minute, less the present width of both books</small>`;
    case 'payments':
      return html`<span>
          in the last 24 h: <b>${lastDay.times}</b> of ${plural(lastDay.of, 'settled payment')}
        </span>
        <small>counted from what was paid</small>`;
    case 'books':
      return html`<span>in the last 24 h: <b>${plural(lastDay.times, 'time')}</b></span>
        <small>counted from the order books of every five minutes</small>`;
    case 'listings':
      return html`<span>in the last 24 h: <b>${plural(lastDay.times, 'time')}</b></span>
        <small>counted from when the calendar found them</small>`;
    case 'unknown':
      return html`<span>in the last 24 h: <b>not known</b></span><small>${lastDay.reason}</small>`;
  }
}

function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
