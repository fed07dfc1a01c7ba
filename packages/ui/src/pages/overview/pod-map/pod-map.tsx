/** Nodes with their pods. The colour shows the state of a pod, the size its request. */

import { useMemo } from 'preact/hooks';
import { Dot, type Tone } from '../../../controls/tone.tsx';
import { Empty } from '../../../controls/notice.tsx';
import { inLanguages } from '../../../language/language.ts';
import type { MapNode } from '../nodes.ts';
import type { MapPod } from '../pods.ts';
import { NodeTile } from './node-tile.tsx';
import './pod-map.css';

const text = inLanguages(
  {
    title: 'Nodes and pods',
    legend: { ok: 'Running', warn: 'Starting', bad: 'Failing', info: 'Ending', idle: 'Finished' },
    size: 'Size: CPU requested',
    unplaced: 'Not scheduled',
    none: 'No nodes',
    noneWhy: 'Pods will wait until a node joins.',
    reading: (count: number) => `${count.toLocaleString()} pods read …`,
    more: (count: number) => `and ${count} more nodes, all healthy`,
  },
  {
    title: '节点与 Pod',
    legend: { ok: '运行中', warn: '启动中', bad: '异常', info: '终止中', idle: '已结束' },
    size: '大小：请求的 CPU',
    unplaced: '尚未分配节点',
    none: '没有节点',
    noneWhy: '在有节点加入之前，Pod 将一直等待。',
    reading: (count: number) => `已读取 ${count.toLocaleString()} 个 Pod…`,
    more: (count: number) => `另有 ${count} 个正常的节点`,
  },
);

const tones: readonly Tone[] = ['ok', 'warn', 'bad', 'info', 'idle'];

/** With more pods than this, they are shown as bars. */
const squaresMax = 3000;
/** With more nodes than this, not all are drawn, but those in trouble are. */
const tilesMax = 400;

interface PodMapProps {
  readonly pods: ReadonlyMap<string, MapPod>;
  readonly nodes: ReadonlyMap<string, MapNode>;
  readonly isComplete: boolean;
  /** Set if nodes could not be read: the map has those that pods name. */
  readonly isWithoutNodes?: boolean;
}

export function PodMap({ pods, nodes, isComplete, isWithoutNodes }: PodMapProps) {
  const byNode = useMemo(() => Map.groupBy(pods.values(), ({ node }) => node), [pods]);
  const unplaced = byNode.get('') ?? [];
  const tiles = useMemo(
    () => (isWithoutNodes ? namedIn(byNode) : arranged([...nodes.values()], byNode).map(tileOf)),
    [nodes, byNode, isWithoutNodes],
  );
  const asSquares = pods.size <= squaresMax;
  return (
    <section class="panel" aria-labelledby="pod-map-title">
      <div class="panel-head">
        <h2 id="pod-map-title">{text().title}</h2>
        {isComplete ? <Legend /> : <span class="panel-note">{text().reading(pods.size)}</span>}
      </div>
      {nodes.size === 0 && unplaced.length === 0 && isComplete && !isWithoutNodes && (
        <Empty title={text().none}>{text().noneWhy}</Empty>
      )}
      <div class="pod-map" data-dense={nodes.size > 12 ? true : undefined}>
        {unplaced.length > 0 && (
          <NodeTile
            name={text().unplaced}
            node={undefined}
            tone="bad"
            pods={unplaced}
            asSquares={asSquares}
          />
        )}
        {tiles.slice(0, tilesMax).map(({ name, node }) => (
          <NodeTile
            key={name}
            name={name}
            node={node}
            tone={node?.health.tone ?? 'idle'}
            pods={byNode.get(name) ?? none}
            asSquares={asSquares}
          />
        ))}
      </div>
      {tiles.length > tilesMax && <p class="pod-map-more">{text().more(tiles.length - tilesMax)}</p>}
    </section>
  );
}

const none: readonly MapPod[] = [];

const Legend = () => (
  <ul class="pod-map-legend">
    {tones.map((tone) => (
      <li key={tone}>
        <Dot tone={tone} />
        {text().legend[tone]}
      </li>
    ))}
    <li>{text().size}</li>
  </ul>
);

interface Tile {
  readonly name: string;
  readonly node: MapNode | undefined;
}

const tileOf = (node: MapNode): Tile => ({ name: node.metadata.name ?? '', node });

/** The nodes that pods name, in natural order. */
const namedIn = (byNode: ReadonlyMap<string, readonly MapPod[]>): readonly Tile[] =>
  [...byNode.keys()]
    .filter((name) => name !== '')
    .toSorted(order.compare)
    .map((name) => ({ name, node: undefined }));

/** In natural order of names; if not all can be drawn, nodes in trouble come first. */
function arranged(
  nodes: readonly MapNode[],
  byNode: ReadonlyMap<string, readonly MapPod[]>,
): readonly MapNode[] {
  const byName = nodes.toSorted((one, other) =>
    order.compare(one.metadata.name ?? '', other.metadata.name ?? ''),
  );
  if (nodes.length <= tilesMax) return byName;
  const inTrouble = (node: MapNode) =>
    node.health.tone !== 'ok' ||
    byNode.get(node.metadata.name ?? '')?.some(({ health }) => health.tone === 'bad') === true;
  return [...byName.filter(inTrouble), ...byName.filter((node) => !inTrouble(node))];
}

const order = new Intl.Collator('en', { numeric: true });
