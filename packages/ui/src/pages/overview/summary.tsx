import { isUnwell } from '../../health/health.ts';
import { inLanguages } from '../../language/language.ts';
import type { Tone } from '../../controls/tone.tsx';
import type { MapNode } from './nodes.ts';
import type { MapPod } from './pods.ts';
import type { KindOfWorkloads } from './workloads.ts';
import { explorerPath } from '../../navigation/paths.ts';
import { formatBytes, formatCores } from '../../controls/amounts.ts';

const text = inLanguages(
  {
    nodes: 'Nodes ready',
    pods: 'Pods running',
    deployments: 'Deployments available',
    cpu: 'CPU requested',
    memory: 'Memory requested',
    of: (all: string) => `of ${all}`,
    notWell: (count: number) => `${count} unhealthy`,
    finished: (count: number) => `${count} finished`,
  },
  {
    nodes: '就绪节点',
    pods: '运行中的 Pod',
    deployments: '可用的 Deployment',
    cpu: '已请求 CPU',
    memory: '已请求内存',
    of: (all: string) => `共 ${all}`,
    notWell: (count: number) => `${count} 个异常`,
    finished: (count: number) => `${count} 个已结束`,
  },
);

interface SummaryProps {
  readonly pods: ReadonlyMap<string, MapPod>;
  /** Undefined if the user may not read nodes: what is said of them is left out. */
  readonly nodes: ReadonlyMap<string, MapNode> | undefined;
  readonly workloads: readonly KindOfWorkloads[];
}

export function Summary({ pods, nodes, workloads }: SummaryProps) {
  const counts = countTones([...pods.values()]);
  const nodeList = [...(nodes?.values() ?? [])];
  const readyNodes = nodeList.filter(({ health }) => health.state !== 'NotReady').length;
  const deployments = [...workloads[0]!.state.objects.values()];
  const available = deployments.filter(({ health }) => !isUnwell(health)).length;
  const placed = [...pods.values()].filter(({ node, health }) => node !== '' && health.tone !== 'idle');
  const sum = <T,>(all: readonly T[], of: (one: T) => number) =>
    all.reduce((total, one) => total + of(one), 0);
  const cpu = [sum(placed, (pod) => pod.cpuCores), sum(nodeList, (node) => node.cpuCores)] as const;
  const memory = [sum(placed, (pod) => pod.memoryBytes), sum(nodeList, (node) => node.memoryBytes)] as const;
  const unwell = counts.bad + counts.warn;
  return (
    <div class="summary">
      {nodes !== undefined && (
        <Fact
          name={text().nodes}
          href={explorerPath({ group: '', version: 'v1', resource: 'nodes' })}
          value={readyNodes}
          note={text().of(String(nodes.size))}
          tone={readyNodes === nodes.size ? undefined : 'bad'}
        />
      )}
      <Fact
        name={text().pods}
        href={explorerPath({ group: '', version: 'v1', resource: 'pods' })}
        value={counts.ok}
        note={
          unwell > 0
            ? text().notWell(unwell)
            : counts.idle > 0
              ? text().finished(counts.idle)
              : text().of(String(pods.size))
        }
        tone={counts.bad > 0 ? 'bad' : counts.warn > 0 ? 'warn' : undefined}
      />
      <Fact
        name={text().deployments}
        href={explorerPath({ group: 'apps', version: 'v1', resource: 'deployments' })}
        value={available}
        note={text().of(String(deployments.length))}
        tone={available === deployments.length ? undefined : 'warn'}
      />
      <Fact
        name={text().cpu}
        value={nodes === undefined ? formatCores(cpu[0]) : share(cpu)}
        note={nodes === undefined ? '' : text().of(formatCores(cpu[1]))}
        share={cpu[0] / cpu[1]}
      />
      <Fact
        name={text().memory}
        value={nodes === undefined ? formatBytes(memory[0]) : share(memory)}
        note={nodes === undefined ? '' : text().of(formatBytes(memory[1]))}
        share={memory[0] / memory[1]}
      />
    </div>
  );
}

const share = ([used, all]: readonly [number, number]): string =>
  all === 0 ? '–' : `${Math.round((used / all) * 100)} %`;

function countTones(pods: readonly MapPod[]): Record<Tone, number> {
  const counts = { ok: 0, warn: 0, bad: 0, info: 0, idle: 0 };
  for (const { health } of pods) counts[health.tone]++;
  return counts;
}

interface FactProps {
  readonly name: string;
  readonly value: string | number;
  readonly note: string;
  readonly tone?: Tone | undefined;
  readonly href?: string;
  /** The fraction of the total, from 0 to 1. */
  readonly share?: number;
}

function Fact({ name, value, note, tone, href, share }: FactProps) {
  const content = (
    <>
      <span class="fact-name">{name}</span>
      <span class="fact-value">{value}</span>
      <span class="fact-note" data-tone={tone}>
        {note}
      </span>
      {share !== undefined && Number.isFinite(share) && (
        <span class="fact-bar">
          <span style={{ width: `${Math.min(100, share * 100)}%` }} />
        </span>
      )}
    </>
  );
  return href === undefined ? (
    <div class="panel fact">{content}</div>
  ) : (
    <a class="panel fact" href={href}>
      {content}
    </a>
  );
}
