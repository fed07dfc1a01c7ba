/** Limits the memory of unread bodies that were made for a single client, such as lists as YAML. */
import { UnreadBytes } from '@coxswain/http2';

/** For the whole process, as its memory is. */
const unreadBytesMax = 512 * 1024 * 1024;
/** The memory of shorter ones is bounded by the number of concurrent requests. */
const countedBytesMin = 64 * 1024;

const unread = new UnreadBytes(unreadBytesMax);
const nothing = (): void => undefined;

/** @returns a function to call when the body was read or has ended */
export const holdingBody = ({ length }: Uint8Array, giveUp: () => void): (() => void) =>
  length < countedBytesMin ? nothing : unread.add(length, giveUp);
