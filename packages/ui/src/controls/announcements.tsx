/** Brief notifications at the bottom of the page: that something was done, or why not. */

import { signal } from '@preact/signals';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { Icon } from '../design/icon.tsx';
import type { Tone } from './tone.tsx';

interface Announcement {
  readonly id: number;
  readonly tone: Tone;
  readonly text: string;
}

const shown = signal<readonly Announcement[]>([]);
const shownMax = 4;
const shownMs = 6000;
let last = 0;

export function announce(tone: Tone, text: string): void {
  const id = ++last;
  const others = shown.value.filter((one) => one.text !== text);
  shown.value = [...others.slice(1 - shownMax), { id, tone, text }];
  setTimeout(() => (shown.value = shown.value.filter((one) => one.id !== id)), shownMs);
}

/** Waits for an action on the server and announces its outcome. Returns whether it succeeded. */
export async function announced(done: string, work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    announce('ok', done);
    return true;
  } catch (failure) {
    announce('bad', messageOf(failure));
    return false;
  }
}

export const Announcements = () => (
  <div class="announcements" role="status" aria-live="polite">
    {shown.value.map(({ id, tone, text }) => (
      <div key={id} class="announcement" data-tone={tone}>
        <Icon name={tone === 'bad' ? 'warning' : 'check'} />
        <span>{text}</span>
      </div>
    ))}
  </div>
);
