/** The start of a server whose etcd does not answer yet, or never will. */
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { EtcdStorage } from '@coxswain/storage/etcd/etcd-storage.ts';

/** As long as the original waits for one that is being started beside it. */
const patienceMs = 20_000;
const attemptMsMax = 2_000;
const pauseMs = 500;

export interface AwaitedEtcd {
  readonly servers: readonly string[];
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/**
 * Resolves when it has answered. What keeps it is told once, at once.
 * @throws Error in the original's words, with what kept it, when it has not answered for {@link patienceMs}
 */
export async function awaitEtcd(etcd: EtcdStorage, { servers, clock, log }: AwaitedEtcd): Promise<void> {
  const startMs = clock.monotonic();
  let problem = await problemOf(etcd);
  if (problem !== undefined) log(`waiting for etcd at ${servers.join(', ')}: ${problem}`);
  while (problem !== undefined) {
    if (clock.monotonic() - startMs >= patienceMs)
      throw new Error(`error creating storage factory: context deadline exceeded: ${problem}`);
    await clock.sleep(pauseMs);
    problem = await problemOf(etcd);
  }
}

const problemOf = (etcd: EtcdStorage): Promise<string | undefined> =>
  etcd.check(attemptMsMax).then(
    () => undefined,
    (failure: unknown) => messageOf(failure),
  );
