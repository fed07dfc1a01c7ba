/**
 * Recreates the ServiceCIDR of the configured ranges when it is deleted, and marks it ready unless it has a condition.
 */
import { deepEqual, formatTime } from '@coxswain/apimachinery';
import type { ServiceCIDR } from '@coxswain/api/networking/v1/service-cidr.ts';
import { applyCondition } from '../bootstrap/apply-condition.ts';
import { ensure, type BootstrapParts } from '../bootstrap/bootstrap.ts';
import { serviceCidrObject, serviceCidrReady, serviceCidrStatusManager } from '../bootstrap/service-cidr.ts';
import { serviceCidrs } from '../groups/core/service/service-ranges.ts';
import { asKubeObject, type RepairEvents } from './repair-events.ts';

const name = 'kubernetes';

export class DefaultServiceCidr {
  readonly #parts: BootstrapParts;
  readonly #cidrs: readonly string[];
  readonly #events: Pick<RepairEvents, 'warn'>;
  #hasReported = false;

  constructor(parts: BootstrapParts, cidrs: readonly string[], events: Pick<RepairEvents, 'warn'>) {
    this.#parts = parts;
    this.#cidrs = cidrs;
    this.#events = events;
  }

  async check(nowMs: number): Promise<void> {
    await ensure(this.#parts, serviceCidrObject(this.#cidrs));
    const found = await this.#parts.objects.get<ServiceCIDR>(serviceCidrs, '', name);
    if (found === undefined || found.metadata.deletionTimestamp) return;
    const { cidrs = [] } = found.spec ?? {};
    if (!deepEqual(cidrs, this.#cidrs)) {
      const note = `The default ServiceCIDR ${list(cidrs)} does not match the controller flag configurations ${list(this.#cidrs)}`;
      return this.#report(found, 'KubernetesDefaultServiceCIDRInconsistent', note);
    }
    const ready = found.status?.conditions?.find(({ type }) => type === 'Ready');
    if (ready?.status === 'False') {
      return this.#report(found, ready.reason ?? '', `Configuration matches, but ${ready.message ?? ''}`);
    }
    if (ready?.status === 'True') return;
    await applyCondition(this.#parts, {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'ServiceCIDR',
      resource: 'servicecidrs',
      name,
      manager: serviceCidrStatusManager,
      condition: serviceCidrReady(formatTime(nowMs)),
    });
  }

  /** Reported once: the object stays as it is until an administrator changes it. */
  async #report(found: ServiceCIDR, reason: string, note: string): Promise<void> {
    if (this.#hasReported) return;
    this.#hasReported = true;
    const object = asKubeObject(found, 'networking.k8s.io/v1', 'ServiceCIDR');
    await this.#events.warn(object, { reason, action: 'Sync', note });
  }
}

const list = (values: readonly string[]): string => `[${values.join(' ')}]`;
