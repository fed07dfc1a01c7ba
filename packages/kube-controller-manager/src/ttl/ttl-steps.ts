/** The kubelets' cache lifetime by number of nodes, with hysteresis between steps. */

interface Step {
  readonly nodesMin: number;
  readonly nodesMax: number;
  readonly seconds: number;
}

const steps: readonly Step[] = [
  { nodesMin: 0, nodesMax: 100, seconds: 0 },
  { nodesMin: 90, nodesMax: 500, seconds: 15 },
  { nodesMin: 450, nodesMax: 1000, seconds: 30 },
  { nodesMin: 900, nodesMax: 2000, seconds: 60 },
  { nodesMin: 1800, nodesMax: Number.POSITIVE_INFINITY, seconds: 300 },
];

export class TtlSteps {
  #nodes = 0;
  #at = 0;

  get seconds(): number {
    return steps[this.#at]!.seconds;
  }

  nodeAdded(): void {
    this.#nodes++;
    if (this.#nodes > steps[this.#at]!.nodesMax) this.#at++;
  }

  nodeRemoved(): void {
    this.#nodes--;
    if (this.#nodes < steps[this.#at]!.nodesMin) this.#at--;
  }
}
