/** Bounds of the HTTP layer; each is the original's unless said otherwise. */

/** Streams that a client may have open on one HTTP/2 connection. */
export const concurrentStreamsDefault = 250;

/** HTTP/2 frames and the window of one stream. */
export const frameBytes = 256 * 1024;

/** The window of a connection: one full window for each of its streams. */
export const connectionWindowBytes = frameBytes * concurrentStreamsDefault;

/** All headers of one request together. */
export const headerBytesMax = 1024 * 1024;

/** A connection that opened and reset this many streams within {@link resetWindowMs} is closed. */
export const streamResetsMax = 1000;
export const resetWindowMs = 10_000;

/** How long a TLS handshake may take. */
export const handshakeMsMax = 10_000;

/** How long the headers of an HTTP/1.1 request may take to arrive. */
export const headersMsMax = 32_000;

/** An idle connection is closed after this time. */
export const idleMsMax = 90_000;

/** A stream's source waits when this much is pending; its own queue is bounded. */
export const streamPendingBytesMax = 1024 * 1024;
