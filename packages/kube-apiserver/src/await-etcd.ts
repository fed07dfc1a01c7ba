/** Waits at startup for an etcd that does not respond yet. */
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { EtcdStorage } from '@coxswain/storage/etcd/etcd-storage.ts';

/** Upstream's timeout for an etcd that is started at the same time. */
const patienceMs = 20_000;
const attemptMsMax = 2_000;
const pauseMs = 500;

export interface AwaitedEtcd {
  readonly servers: readonly string[];
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/**
 * Resolves when etcd has responded. The first failure is logged once, at once.
 * @throws Error with upstream's message and the cause when it has not responded for {@link patienceMs}
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
