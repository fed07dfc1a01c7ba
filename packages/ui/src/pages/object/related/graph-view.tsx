import { useState } from 'preact/hooks';
import { listedKinds } from '../../../cluster/kinds.ts';
import { ElidedName } from '../../../controls/elided-name.tsx';
import { Dot, type Tone } from '../../../controls/tone.tsx';
import { healthOf } from '../../../health/health-of.ts';
import { inLanguages } from '../../../language/language.ts';
import { explorerPath, objectPath } from '../../../navigation/paths.ts';
import type { KnownObject } from './links-of.ts';
import { nodePx, type PlacedEdge, type PlacedGraph, type PlacedNode } from './layout.ts';
import { edgeStyle, relationText } from './relation-text.ts';
import type { Related } from './use-related.ts';

const text = inLanguages(
  {
    more: (count: number) => `${count} more`,
    missing: 'does not exist',
    graph: 'Related objects',
    of: (edge: string, name: string) => `${edge} ${name}`,
  },
  {
    more: (count: number) => `另有 ${count} 个`,
    missing: '不存在',
    graph: '关联对象',
    of: (edge: string, name: string) => `${edge} ${name}`,
  },
);

interface GraphViewProps extends Pick<Related, 'graph' | 'sought'> {
  /** The width of the surrounding frame. */
  readonly availablePx: number;
}

/** At smaller scales, names are illegible. */
const zoomMin = 0.8;

export function GraphView({ graph, sought, availablePx }: GraphViewProps) {
  const [looked, setLooked] = useState<string | undefined>(undefined);
  const zoom = Math.max(zoomMin, Math.min(1, availablePx / graph.widthPx));
  const isLit = ({ from, to }: PlacedEdge): boolean => looked === from || looked === to;
  return (
    <nav
      class="graph"
      aria-label={text().graph}
      data-is-looked={looked === undefined ? undefined : true}
      style={{ width: `${graph.widthPx}px`, height: `${graph.heightPx}px`, zoom }}
    >
      <svg width={graph.widthPx} height={graph.heightPx} aria-hidden="true">
        {graph.edges.map((edge) => (
          <path
            key={`${edge.from} ${edge.to}`}
            d={edge.path}
            data-style={edgeStyle(edge.by)}
            data-is-lit={isLit(edge) || undefined}
          />
        ))}
      </svg>
      {graph.nodes.map((node) => (
        <GraphNode
          key={node.id}
          node={node}
          known={node.known ?? sought.get(node.id)}
          relations={relationsOf(node, graph)}
          onLook={setLooked}
        />
      ))}
    </nav>
  );
}

interface GraphNodeProps {
  readonly node: PlacedNode;
  readonly known: KnownObject | 'missing' | undefined;
  readonly relations: readonly string[];
  readonly onLook: (id: string | undefined) => void;
}

function GraphNode({ node, known, relations, onLook }: GraphNodeProps) {
  const { id, kind, name, others, isRoot } = node;
  const isMissing = known === 'missing';
  const health = known === undefined || known === 'missing' ? undefined : healthOf(known, known.object);
  const tone: Tone = isMissing ? 'bad' : (health?.tone ?? 'idle');
  const state = isMissing ? text().missing : (health?.state ?? '');
  return (
    <a
      class="graph-node"
      href={pathOf(node)}
      data-is-root={isRoot || undefined}
      data-is-missing={isMissing || undefined}
      aria-current={isRoot ? 'true' : undefined}
      title={[`${kind} ${others > 0 ? '' : name}`, state, health?.reason, ...relations]
        .filter(Boolean)
        .join('\n')}
      style={{
        left: `${node.leftPx}px`,
        top: `${node.topPx}px`,
        width: `${nodePx.width}px`,
        height: `${nodePx.height}px`,
      }}
      onMouseEnter={() => onLook(id)}
      onMouseLeave={() => onLook(undefined)}
      onFocus={() => onLook(id)}
      onBlur={() => onLook(undefined)}
    >
      <span class="graph-kind truncated">
        {kind}
        {state !== '' && <span class="graph-state"> · {state}</span>}
      </span>
      <span class="graph-name truncated">
        {known !== undefined && <Dot tone={tone} />}
        {others > 0 ? <span class="truncated">{text().more(others)}</span> : <ElidedName name={name} />}
      </span>
    </a>
  );
}

/**
 * The address of an object, or of all objects of its kind in the namespace. Undefined for kinds that the server does
 * not serve.
 */
function pathOf({ group, kind, namespace, name, others }: PlacedNode): string | undefined {
  const resource = listedKinds.value.find((one) => one.group === group && one.kind === kind);
  if (resource === undefined) return undefined;
  if (others === 0) return objectPath(resource, resource.namespaced ? namespace : undefined, name);
  const where = resource.namespaced ? `?namespace=${encodeURIComponent(namespace)}` : '';
  return explorerPath(resource) + where;
}

/** `selects Deployment web` */
const relationsOf = ({ id }: PlacedNode, { nodes, edges }: PlacedGraph): readonly string[] =>
  edges
    .filter(({ from }) => from === id)
    .map(({ by, to }) => {
      const other = nodes.find((node) => node.id === to)!;
      return text().of(
        relationText()[by],
        `${other.kind} ${other.others > 0 ? text().more(other.others) : other.name}`,
      );
    });
