import { memo } from 'preact/compat';
import { Badge, type Tone } from '../../../controls/tone.tsx';
import { formatBytes, formatCores } from '../../../controls/amounts.ts';
import { inLanguages } from '../../../language/language.ts';
import { objectPath } from '../../../navigation/paths.ts';
import type { MapNode } from '../nodes.ts';
import type { MapPod } from '../pods.ts';

const text = inLanguages(
  {
    pods: (count: number, max: number) =>
      max === 0 ? `${count} ${count === 1 ? 'pod' : 'pods'}` : `${count} of ${max} pods`,
    cpu: 'CPU',
    memory: 'Mem',
    requested: (what: string, used: string, all: string) => `${what} requested: ${used} of ${all}`,
  },
  {
    pods: (count: number, max: number) => (max === 0 ? `${count} 个 Pod` : `${count} / ${max} 个 Pod`),
    cpu: 'CPU',
    memory: '内存',
    requested: (what: string, used: string, all: string) => `已请求${what}：${used} / ${all}`,
  },
);

const podsOf = { group: '', version: 'v1', resource: 'pods' };
const nodesOf = { group: '', version: 'v1', resource: 'nodes' };

interface NodeTileProps {
  readonly name: string;
  /** Undefined for pods without a node, and for a node that could not be read. */
  readonly node: MapNode | undefined;
  readonly tone: Tone;
  readonly pods: readonly MapPod[];
  readonly asSquares: boolean;
}

export const NodeTile = memo(function NodeTile({ name, node, tone, pods, asSquares }: NodeTileProps) {
  /** Pods that have ended no longer count towards what the node can take. */
  const used = pods.filter(({ health }) => health.tone !== 'idle');
  return (
    <article class="node-tile" data-tone={tone}>
      <header>
        {node === undefined ? (
          <h3 class="truncated">{name}</h3>
        ) : (
          <h3 class="truncated">
            <a href={objectPath(nodesOf, undefined, name)}>{name}</a>
          </h3>
        )}
        {node !== undefined && node.health.tone !== 'ok' && (
          <Badge tone={node.health.tone}>{node.health.state}</Badge>
        )}
        <span class="node-tile-count">
          {text().pods(node === undefined ? pods.length : used.length, node?.podsMax ?? 0)}
        </span>
      </header>
      {asSquares ? <Squares pods={pods} /> : <Shares pods={pods} />}
      {node !== undefined && (
        <div class="node-tile-meters">
          <Meter
            name={text().cpu}
            used={used.reduce((all, pod) => all + pod.cpuCores, 0)}
            all={node.cpuCores}
            format={formatCores}
          />
          <Meter
            name={text().memory}
            used={used.reduce((all, pod) => all + pod.memoryBytes, 0)}
            all={node.memoryBytes}
            format={formatBytes}
          />
        </div>
      )}
    </article>
  );
});

const Squares = ({ pods }: { readonly pods: readonly MapPod[] }) => (
  <ul class="node-tile-pods">
    {pods.map(({ metadata: { uid, namespace, name = '' }, health, cpuCores }) => {
      const label = `${namespace}/${name}: ${health.state}`;
      const side = sideOf(cpuCores);
      return (
        <li key={uid}>
          <a
            href={objectPath(podsOf, namespace, name)}
            class="pod-square"
            data-tone={health.tone}
            style={{ width: `${side}px`, height: `${side}px` }}
            title={health.reason === '' ? label : `${label}\n${health.reason}`}
            aria-label={label}
          />
        </li>
      );
    })}
  </ul>
);

/** The area is proportional to the request, between the smallest visible size and one that leaves room for others. */
const sideOf = (cores: number): number => Math.round(Math.min(36, Math.max(12, 22 * Math.sqrt(cores))));

const order: readonly Tone[] = ['bad', 'warn', 'info', 'ok', 'idle'];

function Shares({ pods }: { readonly pods: readonly MapPod[] }) {
  const byTone = Map.groupBy(pods, ({ health }) => health.tone);
  return (
    <div class="node-tile-shares">
      {order.map((tone) => {
        const count = byTone.get(tone)?.length ?? 0;
        return count === 0 ? null : (
          <span
            key={tone}
            class="pod-square"
            data-tone={tone}
            style={{ flexGrow: count }}
            title={String(count)}
          />
        );
      })}
    </div>
  );
}

interface MeterProps {
  readonly name: string;
  readonly used: number;
  readonly all: number;
  readonly format: (amount: number) => string;
}

function Meter({ name, used, all, format }: MeterProps) {
  const share = all === 0 ? 0 : used / all;
  return (
    <div class="meter" title={text().requested(name, format(used), format(all))}>
      <span>{name}</span>
      <span class="meter-bar" data-tone={share > 0.9 ? 'warn' : undefined}>
        <span style={{ width: `${Math.min(100, share * 100)}%` }} />
      </span>
      <span class="meter-value">{Math.round(share * 100)} %</span>
    </div>
  );
}
