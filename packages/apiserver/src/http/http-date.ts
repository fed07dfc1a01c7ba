import { systemClock } from '@coxswain/apimachinery';

let second = Number.NaN;
let text = '';

/** Now, as the Date header has it; made anew each second. */
export function httpDate(): string {
  const now = Math.floor(systemClock.now() / 1000);
  if (now !== second) {
    second = now;
    text = new Date(now * 1000).toUTCString();
  }
  return text;
}
