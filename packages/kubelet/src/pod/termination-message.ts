/** What a container says at its end, and how much of it is kept: upstream's limits. */

/** Of the file that the container writes. */
export const messageBytesMax = 4096;
/** Of the end of the log, if it stands for the file. */
const logMessageBytesMax = 2048;
export const logMessageLinesMax = 80;
/** Of all containers of a pod, in equal parts. */
const podMessagesBytesMax = 12 * 1024;

/** @param texts the last lines of the log, with their newlines */
export const messageFromLog = (texts: readonly string[]): string =>
  texts.slice(-logMessageLinesMax).join('').slice(-logMessageBytesMax);

/** The part of a message that a pod with this number of containers reports. */
export const reportedMessage = (message: string, containers: number): string =>
  message.slice(0, Math.floor(podMessagesBytesMax / containers));
