/** CEL expressions that select devices. Loaded only when a pod with claims is scheduled, since it depends on CEL. */

import {
  baseEnvironment,
  isError,
  MapValue,
  mapOf,
  type Environment,
  type Program,
  type Value,
} from '@coxswain/cel';
import { semverValue } from '@coxswain/cel/library/semver.ts';
import { quantityValue } from '@coxswain/cel/library/quantity.ts';
import { deviceType } from '@coxswain/api/resource/device-type.ts';
import type { DeviceAttribute } from '@coxswain/api/resource/v1/device-attribute.ts';
import type { PoolDevice } from './device-pools.ts';

/** An expression that cannot be compiled or evaluated, with the reason. */
class SelectorError extends Error {}

type SelectableDevice = Pick<PoolDevice, 'device' | 'driver'>;

/** The maximum number of compiled expressions; the oldest are dropped first. */
const programsMax = 1000;

export class DeviceSelectors {
  readonly #environment: Environment = baseEnvironment.extend({ variables: { device: deviceType } });
  readonly #programs = new Map<string, Program | SelectorError>();

  /** @throws SelectorError */
  matches(expression: string, device: SelectableDevice): boolean {
    const program = this.#programOf(expression);
    if (program instanceof SelectorError) throw program;
    const { value } = program.evaluate({ device: deviceValue(device) });
    if (isError(value)) throw new SelectorError(`CEL runtime error: ${value.message}`);
    if (typeof value === 'boolean') return value;
    throw new SelectorError('CEL runtime error: CEL result could not be converted to bool');
  }

  #programOf(expression: string): Program | SelectorError {
    let program = this.#programs.get(expression);
    if (program === undefined) {
      const { ast, issuesText } = this.#environment.compile(expression);
      program =
        ast === undefined
          ? new SelectorError(`CEL compile error: compilation failed: ${issuesText}`)
          : this.#environment.program(ast);
      if (this.#programs.size >= programsMax) this.#programs.delete(this.#programs.keys().next().value ?? '');
      this.#programs.set(expression, program);
    }
    return program;
  }
}

function deviceValue({ device, driver }: SelectableDevice): Value {
  const capacities = Object.entries(device.capacity ?? {}) as [string, { value: string }][];
  const attributes = Object.entries(device.attributes ?? {}) as [string, DeviceAttribute][];
  return mapOf([
    ['driver', driver],
    ['allowMultipleAllocations', device.allowMultipleAllocations ?? false],
    ['attributes', byDomain(driver, attributes, attributeValue)],
    ['capacity', byDomain(driver, capacities, ({ value }) => quantityValue(value))],
  ]);
}

/** Names without a domain get the driver's. */
function byDomain<T>(
  driver: string,
  properties: readonly (readonly [string, T])[],
  valueOf: (property: T) => Value,
): Value {
  const domains = new Map<string, [Value, Value][]>();
  for (const [name, property] of properties) {
    const at = name.indexOf('/');
    const domain = at < 0 ? driver : name.slice(0, at);
    const entries = domains.get(domain) ?? [];
    domains.set(domain, entries);
    entries.push([name.slice(at + 1), valueOf(property)]);
  }
  return new DomainMap(new Map([...domains].map(([domain, entries]) => [domain, mapOf(entries)])));
}

/** A domain without any entries is an empty map, so that `has()` works on its names. */
class DomainMap extends MapValue {
  readonly #domains: ReadonlyMap<string, Value>;

  constructor(domains: ReadonlyMap<string, Value>) {
    super();
    this.#domains = domains;
  }

  get size(): number {
    return this.#domains.size;
  }

  get(key: Value): Value {
    return this.#domains.get(String(key)) ?? nothing;
  }

  keys(): readonly Value[] {
    return [...this.#domains.keys()];
  }
}

const nothing = mapOf([]);

function attributeValue({ string, int, bool, version }: DeviceAttribute): Value {
  if (int != null) return int as Value;
  if (bool != null) return bool;
  if (string != null) return string;
  return semverValue(version ?? '');
}
