/** The object whose number of replicas is changed through its scale subresource. */
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

/** client-go's default number of attempts after conflicts. */
const conflictsMax = 5;

export class ScaleTargets {
  readonly #client: KubeClient;
  readonly #discovery: DiscoveryClient;

  constructor(client: KubeClient) {
    this.#client = client;
    this.#discovery = discoveryClient(client.rest);
  }

  /** @throws Error with upstream's message if it doesn't exist, or has no scale subresource */
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
      // The kind may have been added since.
      this.#discovery.invalidate();
      return find();
    }
  }
}

/** Checks the selector text, since custom resources may provide an invalid one. @throws Error */
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

/** @throws Error if it was refused, or each attempt had a conflict */
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
