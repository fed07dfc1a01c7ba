import type { ComponentChildren } from 'preact';
import { inLanguages } from '../../language/language.ts';
import { chapterPath } from '../../navigation/paths.ts';
import { chapterOf } from './chapters.ts';
import { commandsOf } from './commands.ts';
import { CommandList } from './command-list.tsx';
import type { Block, Inline } from './markdown.ts';

const text = inLanguages({ recorded: 'Steps of a recording' }, { recorded: '记录中的步骤' });

interface ChapterTextProps {
  readonly chapter: string;
  readonly blocks: readonly Block[];
}

export const ChapterText = ({ chapter, blocks }: ChapterTextProps) => (
  <article class="tour-text">
    {blocks.map((block, index) => (
      <OneBlock key={index} block={block} id={`${chapter}/${index}`} />
    ))}
  </article>
);

function OneBlock({ block, id }: { readonly block: Block; readonly id: string }) {
  switch (block.kind) {
    case 'heading':
      return block.level === 1 ? <h1>{inlineOf(block.content)}</h1> : <h2>{inlineOf(block.content)}</h2>;
    case 'paragraph':
      return <p>{inlineOf(block.content)}</p>;
    case 'list':
      return <ItemList block={block} />;
    case 'code':
      return block.language === 'sh' ? (
        <CommandList id={id} commands={commandsOf(block.text)} />
      ) : (
        <pre class="tour-code">{block.text}</pre>
      );
  }
}

function ItemList({ block }: { readonly block: Block & { readonly kind: 'list' } }) {
  const Kind = block.isOrdered ? 'ol' : 'ul';
  const list = (
    <Kind>
      {block.items.map(({ depth, content }, index) => (
        <li key={index} style={{ marginLeft: `${depth * 16}px` }}>
          {inlineOf(content)}
        </li>
      ))}
    </Kind>
  );
  return block.isRecorded ? (
    <div class="tour-steps" role="region" aria-label={text().recorded} tabIndex={0}>
      {list}
    </div>
  ) : (
    list
  );
}

const inlineOf = (content: readonly Inline[]): ComponentChildren =>
  content.map((part, index) => <Part key={index} part={part} />);

function Part({ part }: { readonly part: Inline }) {
  if (part.kind === 'link') return <Link link={part} />;
  if (part.kind === 'code') return <code>{part.text}</code>;
  return part.kind === 'emphasis' ? <em>{part.text}</em> : <>{part.text}</>;
}

/** Links to sources show only the path, since the page does not contain sources. */
function Link({ link: { href, content } }: { readonly link: Inline & { readonly kind: 'link' } }) {
  const chapter = chapterOf(href);
  return chapter === undefined ? (
    <span class="tour-place" title={href.replace(/^(?:\.\.\/)+/, '').replace('#L', ':')}>
      {inlineOf(content)}
    </span>
  ) : (
    <a class="link" href={chapterPath(chapter)}>
      {inlineOf(content)}
    </a>
  );
}
