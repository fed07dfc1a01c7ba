/**
 * Keeps the objects of priority and fairness that the server brings: those that must be as they are, whoever
 * changes or deletes them; and those that are suggested, as long as nobody has made them his own.
 *
 * Whether an object is still the server's says its annotation; without one, whether it was ever changed.
 */
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
/** As in the original: until then, what must be there is imagined. */
const periodMs = 60_000;

export class ConfigurationEnsurer {
  readonly #parts: ConfigKeeperParts;
  #turn: Timer | undefined;
  #isStopped = false;

  constructor(parts: ConfigKeeperParts) {
    this.#parts = parts;
  }

  /** Resolves after the first turn; others follow every minute. */
  async start(): Promise<void> {
    await this.keep();
    if (this.#isStopped) return;
    this.#turn = this.#parts.clock.after(periodMs, () => void this.start(), { idle: true });
  }

  stop(): void {
    this.#isStopped = true;
    this.#turn?.cancel();
  }

  /** One turn. What fails is logged, and tried again in the next. */
  async keep(): Promise<void> {
    try {
      const wanted = flowControlObjects();
      const mandatory = (one: BootstrapObject) => isMandatory(one.resource, one.object.metadata.name);
      const suggested = wanted.filter((one) => !mandatory(one));
      // Levels come before the schemas that lead to them.
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

  /** The server's own of another version, which this one no longer has. */
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

/** What has to be written; nothing when the object is as it should be. */
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

/** The seats of the exempt level are for operators to set. */
function adapted(name: string, wanted: unknown, found: unknown): unknown {
  const wantedExempt = (wanted as Partial<PriorityLevelConfigurationSpec>).exempt;
  const foundExempt = (found as Partial<PriorityLevelConfigurationSpec> | undefined)?.exempt;
  if (name !== 'exempt' || wantedExempt === undefined || foundExempt === undefined) return wanted;
  const { nominalConcurrencyShares, lendablePercent } = foundExempt;
  return { ...(wanted as object), exempt: { ...wantedExempt, nominalConcurrencyShares, lendablePercent } };
}

const trueWords: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const falseWords: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

/** As Go reads it; nothing for other texts. */
function goBool(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (trueWords.has(text)) return true;
  return falseWords.has(text) ? false : undefined;
}
