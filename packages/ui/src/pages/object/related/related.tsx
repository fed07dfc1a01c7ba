/**
 * The objects related to an object: owners, selectors, volumes, endpoints, policies, and everything that it refers to.
 */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Empty, Failed, Loading } from '../../../controls/notice.tsx';
import { inLanguages } from '../../../language/language.ts';
import type { ObjectTabProps } from '../object-tab.ts';
import { GraphView } from './graph-view.tsx';
import type { EdgeStyle } from './relation-text.ts';
import { useRelated } from './use-related.ts';
import './related.css';

const text = inLanguages(
  {
    none: 'No related objects',
    noneWhy:
      'It has no owner and refers to no other object, and no object in its namespace refers to it or selects it.',
    styles: {
      owns: 'owns',
      directs: 'selects, routes to, scales, grants',
      needs: 'mounts, reads, runs on',
    } satisfies Record<EdgeStyle, string>,
    hidden: (kinds: string) => `Not shown because you may not list them: ${kinds}.`,
    cut: (kinds: string) => `Only some objects were read of: ${kinds}.`,
  },
  {
    none: '没有关联对象',
    noneWhy: '它没有拥有者，不引用其他对象，命名空间中也没有对象引用或选择它。',
    styles: { owns: '拥有', directs: '选择、路由、伸缩、授予', needs: '挂载、读取、运行于' },
    hidden: (kinds: string) => `未显示（你无权列出）：${kinds}。`,
    cut: (kinds: string) => `数量过多，仅读取了一部分：${kinds}。`,
  },
);

const framePaddingPx = 16;

export default function RelatedTab({ kind, object }: ObjectTabProps) {
  const { related, failure } = useRelated(kind, object);
  const frame = useRef<HTMLDivElement>(null);
  const isShown = related !== undefined;
  const [availablePx, setAvailablePx] = useState(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setAvailablePx(element.clientWidth - 2 * framePaddingPx));
    observer.observe(element);
    return () => observer.disconnect();
  }, [isShown]);
  useEffect(() => {
    frame.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'center', inline: 'center' });
  }, [isShown]);
  if (related === undefined) return failure === undefined ? <Loading /> : <Failed failure={failure} />;
  const { graph, sought, hidden, cut } = related;
  if (graph.nodes.length === 1) return <Empty title={text().none}>{text().noneWhy}</Empty>;
  return (
    <div class="related">
      <div class="tool-bar">
        <ul class="graph-legend">
          {Object.entries(text().styles).map(([style, name]) => (
            <li key={style}>
              <svg width="28" height="8" aria-hidden="true">
                <path d="M1 4H27" data-style={style} />
              </svg>
              {name}
            </li>
          ))}
        </ul>
        <span class="panel-note">
          {[
            hidden.length > 0 && text().hidden(hidden.join(', ')),
            cut.length > 0 && text().cut(cut.join(', ')),
          ]
            .filter(Boolean)
            .join(' ')}
        </span>
      </div>
      <div class="graph-frame" ref={frame} tabIndex={-1}>
        <GraphView graph={graph} sought={sought} availablePx={availablePx} />
      </div>
    </div>
  );
}
