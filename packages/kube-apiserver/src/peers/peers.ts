/** The API server's duties towards other servers with the same store, and its announcement to them. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Transport } from '@coxswain/client/transport.ts';
import type { StoredForm } from '@coxswain/apiserver/registry/object-codec.ts';
import type { Storage } from '@coxswain/storage/storage.ts';
import { isLoopback } from '../loopback-address.ts';
import { CountedEndpoints } from './counted-endpoints.ts';
import { EndpointReconciler } from './endpoint-reconciler.ts';
import { IdentityLease } from './identity-lease.ts';
import { collectEveryMs, collectLeases } from './lease-collector.ts';
import { keepService } from './kept-service.ts';
import { MasterLeases } from './master-leases.ts';
import { SystemObjects } from './system-objects.ts';

export interface PeersParts {
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly newUid: () => string;
  readonly transport: Transport;
  readonly leaseStorage: Storage;
  readonly storedForm: StoredForm;
  readonly hostName: string;
  readonly advertiseAddress: string;
  /** Whether this server maintains the endpoints of the service `kubernetes`. */
  readonly keepsEndpoints: boolean;
  /** The service by which pods reach the servers. @param port where this one listens */
  readonly kubernetesService: (port: number) => object;
  /** The number of servers, if they don't use leases; absent if they do. */
  readonly serversCount?: number | undefined;
}

/** As upstream. */
const everyMs = 10_000;
const leaveMsMax = 20_000;

interface Duty {
  readonly name: string;
  run(): Promise<void>;
  leave(): Promise<void>;
}

export class Peers {
  readonly #parts: PeersParts;
  #duties: readonly Duty[] = [];
  #timer: { cancel(): void } | undefined;
  #collector: { cancel(): void } | undefined;
  #isStopped = false;
  #round: Promise<void> = Promise.resolve();

  constructor(parts: PeersParts) {
    this.#parts = parts;
  }

  /** Resolves after the first round. @param port the port for clients */
  start(port: number): Promise<void> {
    const { clock, hostName, advertiseAddress, newUid, transport, leaseStorage, storedForm } = this.#parts;
    const { keepsEndpoints, serversCount, kubernetesService } = this.#parts;
    const objects = new SystemObjects(transport);
    const address = `${advertiseAddress}:${port}`;
    const lease = new IdentityLease({ objects, clock, hostName, address, newUid });
    const reconciler =
      serversCount === undefined
        ? new EndpointReconciler(new MasterLeases(leaseStorage, storedForm), objects, advertiseAddress, port)
        : new CountedEndpoints(objects, advertiseAddress, port, serversCount);
    this.#duties = [
      { name: 'identity lease', run: () => lease.renew(), leave: () => lease.leave() },
      {
        name: 'the kubernetes service',
        run: () => keepService(objects, kubernetesService(port)),
        leave: () => Promise.resolve(),
      },
      // Endpoints must not have a loopback address.
      ...(!keepsEndpoints || isLoopback(advertiseAddress)
        ? []
        : [
            {
              name: 'endpoints of the kubernetes service',
              run: () => reconciler.reconcile(),
              leave: () => reconciler.leave(),
            },
          ]),
    ];
    this.#collector = clock.after(collectEveryMs, () => this.#collect(objects), { idle: true });
    return this.#run();
  }

  #collect(objects: SystemObjects): void {
    const { clock, log } = this.#parts;
    collectLeases(objects, clock).catch((failure: Error) => log(`identity leases: ${failure.message}`));
    this.#collector = clock.after(collectEveryMs, () => this.#collect(objects), { idle: true });
  }

  /** Tells the other servers, unless that takes too long. */
  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#collector?.cancel();
    const leaving = this.#round.then(() => this.#each((duty) => duty.leave()));
    const left = new AbortController();
    const tooLong = this.#parts.clock.sleep(leaveMsMax, left.signal).catch(() => undefined);
    await Promise.race([leaving, tooLong]);
    // A pending timer would keep the process alive.
    left.abort();
  }

  async #run(): Promise<void> {
    this.#round = this.#each((duty) => duty.run());
    await this.#round;
    if (this.#isStopped) return;
    this.#timer = this.#parts.clock.after(everyMs, () => detach(this.#run()), { idle: true });
  }

  async #each(act: (duty: Duty) => Promise<void>): Promise<void> {
    for (const duty of this.#duties) {
      await act(duty).catch((failure: unknown) => this.#parts.log(`${duty.name}: ${messageOf(failure)}`));
    }
  }
}
