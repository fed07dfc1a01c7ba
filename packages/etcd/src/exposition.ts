/** The text format of Prometheus. */

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

export function family(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  samples: readonly Sample[],
): string {
  const lines = samples.map(({ labels, value }) => `${name}${labelText(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelText(labels: Sample['labels']): string {
  if (labels === undefined) return '';
  const parts = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `{${parts.join(',')}}`;
}

export class Histogram {
  /** Upper bounds, ascending. */
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  observe(value: number): void {
    this.#sum += value;
    this.#count++;
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    if (bucket >= 0) this.#counts[bucket]!++;
  }

  text(name: string, help: string): string {
    let below = 0;
    const buckets = this.#bounds.map((bound, index) => {
      below += this.#counts[index]!;
      return `${name}_bucket{le="${bound}"} ${below}\n`;
    });
    const rest = `${name}_bucket{le="+Inf"} ${this.#count}\n${name}_sum ${this.#sum}\n${name}_count ${this.#count}\n`;
    return `# HELP ${name} ${help}\n# TYPE ${name} histogram\n${buckets.join('')}${rest}`;
  }
}
