import { systemClock } from '@coxswain/apimachinery';

let second = Number.NaN;
let text = '';

/** The current time as in the Date header, formatted once per second. */
export function httpDate(): string {
  const now = Math.floor(systemClock.now() / 1000);
  if (now !== second) {
    second = now;
    text = new Date(now * 1000).toUTCString();
  }
  return text;
}
