/** The object whose number of pods is changed, through its scale. */
import type * as autoscaling from '@coxswain/api/autoscaling/v1/index.ts';
import { isStatusError, parseApiVersion, type Live } from '@coxswain/apimachinery';
import { labelSelectorSpecFromText } from '@coxswain/apimachinery/label-selector-text.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import {
  discoveryClient,
  restMapper,
  type DiscoveryClient,
  type KubeClient,
  type ResourceClient,
} from '@coxswain/client';
import type { Autoscaler } from './autoscaler.ts';

export type Scale = Live<autoscaling.Scale>;

/** As client-go retries conflicts by default. */
const conflictsMax = 5;

export class ScaleTargets {
  readonly #client: KubeClient;
  readonly #discovery: DiscoveryClient;

  constructor(client: KubeClient) {
    this.#client = client;
    this.#discovery = discoveryClient(client.rest);
  }

  /** @throws Error in the original's words when there is none, or it has no scale */
  async get(
    autoscaler: Autoscaler,
  ): Promise<{ readonly scale: Scale; readonly client: ResourceClient<Scale> }> {
    const { namespace = '' } = autoscaler.metadata;
    const { name } = autoscaler.spec.scaleTargetRef;
    const resource = await this.#resourceOf(autoscaler);
    const client = this.#client.resource<Scale>(resource).namespace(namespace);
    const scale = await client.get(name, { subresource: 'scale' });
    checkSelector(scale.status?.selector ?? '');
    return { scale, client };
  }

  async #resourceOf({ spec }: Autoscaler) {
    const { apiVersion = '', kind } = spec.scaleTargetRef;
    const { group } = parseApiVersion(apiVersion);
    const find = async () => restMapper(await this.#discovery.discover()).forKind({ group, kind });
    try {
      return await find();
    } catch {
      // It may have come since.
      this.#discovery.invalidate();
      return find();
    }
  }
}

/** What isn't the text of a label selector, as custom resources may tell. @throws Error */
export function checkSelector(text: string): void {
  try {
    labelSelectorSpecFromText(text);
  } catch (failure) {
    const problem = `failed to parse target selector: ${messageOf(failure)}`;
    throw new Error(
      `received an object from a /scale endpoint which was not convertible to autoscaling Scale: ${problem}`,
      { cause: failure },
    );
  }
}

/** @throws Error when it was refused, or somebody else wrote each time */
export async function rescale(client: ResourceClient<Scale>, read: Scale, replicas: number): Promise<void> {
  let scale = read;
  for (let attempt = 1; ; attempt++) {
    try {
      const wanted = { ...scale, spec: { ...scale.spec, replicas } };
      await client.update(wanted, { subresource: 'scale' });
      return;
    } catch (failure) {
      if (!isStatusError(failure, 'Conflict') || attempt === conflictsMax) throw failure;
      scale = await client.get(scale.metadata.name ?? '', { subresource: 'scale' });
    }
  }
}
