/**
 * Maintains the server's default objects of priority and fairness: mandatory ones are restored whenever they are
 * changed or deleted, suggested ones only until an operator takes them over.
 *
 * The annotation says whether the server still owns an object; without one, its generation does.
 */
import { detach } from '@coxswain/apimachinery/detach.ts';
import { semanticDeepEqual, type Clock, type KubeObject, type Timer } from '@coxswain/apimachinery';
import {
  mandatoryFlowSchemaSpecs,
  mandatoryPriorityLevelSpecs,
} from '@coxswain/api/flowcontrol/mandatory-specs.ts';
import type { PriorityLevelConfigurationSpec } from '@coxswain/api/flowcontrol/v1/priority-level-configuration-spec.ts';
import type { Transport } from '@coxswain/client/transport.ts';
import type { ObjectReader } from '../object-reader.ts';
import type { BootstrapObject } from '../bootstrap-object.ts';
import { flowControlObjects, flowControlProducer } from '../bootstrap/flow-control.ts';
import { systemSend } from '../system-send.ts';

export interface ConfigKeeperParts {
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly objects: ObjectReader;
  /** As the server's own user. */
  readonly transport: () => Transport;
}

const group = 'flowcontrol.apiserver.k8s.io';
const autoUpdate = 'apf.kubernetes.io/autoupdate-spec';
/** As upstream: until the first run the mandatory objects are assumed. */
const periodMs = 60_000;

export class ConfigurationEnsurer {
  readonly #parts: ConfigKeeperParts;
  #turn: Timer | undefined;
  #isStopped = false;

  constructor(parts: ConfigKeeperParts) {
    this.#parts = parts;
  }

  /** Resolves after the first run; another follows every minute. */
  async start(): Promise<void> {
    await this.keep();
    if (this.#isStopped) return;
    this.#turn = this.#parts.clock.after(periodMs, () => detach(this.start()), { idle: true });
  }

  stop(): void {
    this.#isStopped = true;
    this.#turn?.cancel();
  }

  /** Runs once. Failures are logged and retried in the next run. */
  async keep(): Promise<void> {
    try {
      const wanted = flowControlObjects();
      const mandatory = (one: BootstrapObject) => isMandatory(one.resource, one.object.metadata.name);
      const suggested = wanted.filter((one) => !mandatory(one));
      // Levels come before the schemas that refer to them.
      for (const one of [...suggested, ...wanted.filter(mandatory)]) await this.#ensure(one, mandatory(one));
      for (const resource of ['flowschemas', 'prioritylevelconfigurations']) {
        await this.#removeUnwanted(resource, wanted);
      }
    } catch (failure) {
      this.#parts.log(`objects of priority and fairness: ${String(failure)}`);
    }
  }

  async #ensure(wanted: BootstrapObject, mandatory: boolean): Promise<void> {
    const { resource, object } = wanted;
    const { name } = object.metadata;
    const found = await this.#parts.objects.get<KubeObject>({ group, resource }, '', name);
    if (this.#isStopped) return;
    if (found === undefined) return this.#send('POST', resource, structuredClone(object));
    const revised = revision(found, wanted, mandatory);
    if (revised !== undefined) await this.#send('PUT', `${resource}/${name}`, revised);
  }

  /** Removes the server's own objects that this version no longer has. */
  async #removeUnwanted(resource: string, wanted: readonly BootstrapObject[]): Promise<void> {
    const names = new Set(wanted.filter((one) => one.resource === resource).map(nameOf));
    for (const { metadata } of await this.#parts.objects.list<KubeObject>({ group, resource }, '')) {
      const isOwn = goBool(metadata.annotations?.[autoUpdate]) === true;
      if (isOwn && !names.has(metadata.name!)) await this.#send('DELETE', `${resource}/${metadata.name}`);
    }
  }

  async #send(method: string, path: string, object?: object): Promise<void> {
    const url = `/apis/${group}/v1/${path}?fieldManager=${flowControlProducer}`;
    await systemSend(this.#parts, method, url, object);
  }
}

const nameOf = ({ object }: BootstrapObject): string => object.metadata.name;

const isMandatory = (resource: string, name: string): boolean =>
  resource === 'flowschemas' ? mandatoryFlowSchemaSpecs.has(name) : mandatoryPriorityLevelSpecs.has(name);

/** The update to make; undefined when the object is up to date. */
export function revision(
  found: KubeObject,
  { object }: BootstrapObject,
  mandatory: boolean,
): object | undefined {
  const annotated = goBool(found.metadata.annotations?.[autoUpdate]);
  const keepsSpec = mandatory || (annotated ?? found.metadata.generation === 1);
  const { spec } = found as KubeObject & { readonly spec?: unknown };
  const wantedSpec = object['spec'];
  const isSpecRight = !keepsSpec || semanticDeepEqual(spec, adapted(object.metadata.name, wantedSpec, spec));
  if (isSpecRight && annotated === keepsSpec) return undefined;
  const annotations = { ...found.metadata.annotations, [autoUpdate]: String(keepsSpec) };
  return {
    ...found,
    metadata: annotated === keepsSpec ? found.metadata : { ...found.metadata, annotations },
    ...(isSpecRight ? {} : { spec: structuredClone(wantedSpec) }),
  };
}

/** Operators may set the seats of the exempt level. */
function adapted(name: string, wanted: unknown, found: unknown): unknown {
  const wantedExempt = (wanted as Partial<PriorityLevelConfigurationSpec>).exempt;
  const foundExempt = (found as Partial<PriorityLevelConfigurationSpec> | undefined)?.exempt;
  if (name !== 'exempt' || wantedExempt === undefined || foundExempt === undefined) return wanted;
  const { nominalConcurrencyShares, lendablePercent } = foundExempt;
  return { ...(wanted as object), exempt: { ...wantedExempt, nominalConcurrencyShares, lendablePercent } };
}

const trueWords: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const falseWords: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

/** Parsed as in Go; undefined for invalid text. */
function goBool(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (trueWords.has(text)) return true;
  return falseWords.has(text) ? false : undefined;
}
