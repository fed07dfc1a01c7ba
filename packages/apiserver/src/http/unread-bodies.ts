/** Bounds what bodies keep in memory that were made for one client, such as lists as YAML, until it has read them. */
import { UnreadBytes } from '@coxswain/http2';

/** Of the whole process, since its memory is. */
const unreadBytesMax = 512 * 1024 * 1024;
/** Shorter ones are bounded by the number of requests that there may be at once. */
const countedBytesMin = 64 * 1024;

const unread = new UnreadBytes(unreadBytesMax);
const nothing = (): void => undefined;

/** @returns what to call when the body was read, or is over */
export const holdingBody = ({ length }: Uint8Array, giveUp: () => void): (() => void) =>
  length < countedBytesMin ? nothing : unread.add(length, giveUp);
