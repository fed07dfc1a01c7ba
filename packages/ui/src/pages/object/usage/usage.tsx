import type { KubeObject, Live } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ApiResource } from '@coxswain/client';
import { amountOf, formatBytes, formatCores } from '../../../controls/amounts.ts';
import { inLanguages } from '../../../language/language.ts';
import { useUsage } from './use-usage.ts';
import './usage.css';

const text = inLanguages(
  {
    title: 'Usage',
    cpu: 'CPU',
    memory: 'Memory',
    requested: (amount: string) => `${amount} requested`,
    allocatable: (amount: string) => `of ${amount}`,
    course: (name: string) => `${name} in the last minutes`,
  },
  {
    title: '资源用量',
    cpu: 'CPU',
    memory: '内存',
    requested: (amount: string) => `已请求 ${amount}`,
    allocatable: (amount: string) => `共 ${amount}`,
    course: (name: string) => `最近几分钟的${name}`,
  },
);

interface UsageProps {
  readonly kind: ApiResource;
  readonly object: KubeObject;
}

export function Usage({ kind, object }: UsageProps) {
  const samples = useUsage(kind, object);
  if (samples === undefined) return null;
  const known = amountsOf(object);
  const note = kind.kind === 'Node' ? text().allocatable : text().requested;
  return (
    <section class="panel" aria-labelledby="usage-title">
      <div class="panel-head">
        <h2 id="usage-title">{text().title}</h2>
      </div>
      <div class="usage">
        <Amount
          name={text().cpu}
          values={samples.map(({ cpuCores }) => cpuCores)}
          known={known.cpuCores}
          format={formatCores}
          note={note}
        />
        <Amount
          name={text().memory}
          values={samples.map(({ memoryBytes }) => memoryBytes)}
          known={known.memoryBytes}
          format={formatBytes}
          note={note}
        />
      </div>
    </section>
  );
}

interface AmountProps {
  readonly name: string;
  /** Oldest first. */
  readonly values: readonly number[];
  /** The requested or allocatable amount; 0 if there is none. */
  readonly known: number;
  readonly format: (amount: number) => string;
  readonly note: (amount: string) => string;
}

const courseWidth = 160;
const courseHeight = 32;
/** Above the highest value, so that a steady course does not look like a limit that is reached. */
const headroom = 1.3;

function Amount({ name, values, known, format, note }: AmountProps) {
  const now = values.at(-1)!;
  const top = Math.max(known, ...values.map((value) => value * headroom)) || 1;
  const y = (value: number): number => Math.round((1 - value / top) * (courseHeight - 2)) + 1;
  const step = courseWidth / Math.max(1, values.length - 1);
  const points = values.map((value, index) => `${Math.round(index * step)},${y(value)}`);
  return (
    <div>
      <span class="fact-name">{name}</span>
      <span class="usage-now">
        <strong>{format(now)}</strong>
        {known > 0 && <span class="panel-note">{note(format(known))}</span>}
      </span>
      <svg
        viewBox={`0 0 ${courseWidth} ${courseHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={text().course(name)}
      >
        {known > 0 && <path class="usage-known" d={`M0 ${y(known)}H${courseWidth}`} />}
        <path
          class="usage-course"
          d={values.length === 1 ? `M0 ${y(now)}H${courseWidth}` : `M${points.join('L')}`}
        />
      </svg>
    </div>
  );
}

type Container = NonNullable<NonNullable<Live<Pod>['spec']>['containers']>[number];

interface Measured {
  readonly spec?: {
    readonly containers?: readonly Container[];
    readonly template?: { readonly spec?: { readonly containers?: readonly Container[] } };
  };
  readonly status?: {
    readonly replicas?: number;
    readonly allocatable?: Readonly<Record<string, unknown>>;
  };
}

/** The amount allocatable or requested by the object, including all of its pods. */
function amountsOf(object: KubeObject): { readonly cpuCores: number; readonly memoryBytes: number } {
  const { spec, status } = object as Measured;
  if (status?.allocatable !== undefined)
    return {
      cpuCores: amountOf(status.allocatable['cpu']),
      memoryBytes: amountOf(status.allocatable['memory']),
    };
  const template = spec?.template?.spec?.containers;
  const pods = template === undefined ? 1 : (status?.replicas ?? 0);
  const sum = (resource: string): number =>
    (template ?? spec?.containers ?? []).reduce(
      (total, { resources }) => total + amountOf(resources?.requests?.[resource]),
      0,
    ) * pods;
  return { cpuCores: sum('cpu'), memoryBytes: sum('memory') };
}
