/** The longest turn of the event loop while something is done, in milliseconds of the thread's processor time. */

export async function withLongestTurn<T>(
  work: () => Promise<T>,
): Promise<{ readonly done: T; readonly ms: number }> {
  let isOver = false;
  let beganMs = threadMs();
  let longestMs = 0;
  const turn = (): void => {
    const nowMs = threadMs();
    longestMs = Math.max(longestMs, nowMs - beganMs);
    beganMs = nowMs;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    return { done: await work(), ms: longestMs };
  } finally {
    isOver = true;
  }
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
