/** The tour of Kubernetes: its chapters, as in the documentation, with commands that run in this cluster. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { useEffect, useState } from 'preact/hooks';
import { facts } from '../../cluster/cluster.ts';
import { Button } from '../../controls/button.tsx';
import { Failed, Loading } from '../../controls/notice.tsx';
import { useSteps } from '../../controls/use-steps.ts';
import { inLanguages, language } from '../../language/language.ts';
import { chapterPath, segmentsOf } from '../../navigation/paths.ts';
import { currentPath, go } from '../../navigation/route.ts';
import { ChapterText } from './chapter-text.tsx';
import { readChapter, readContents, type Contents } from './chapters.ts';
import { readTourFile } from './tour-files.ts';
import { cleanUp, made } from './runs.ts';
import type { Block } from './markdown.ts';
import './tour.css';

const text = inLanguages(
  {
    chapters: 'Chapters',
    made: (count: number) =>
      `Your commands created ${count} ${count === 1 ? 'object' : 'objects'} in this cluster.`,
    nothing:
      'Commands run in this cluster with your permissions. Objects that they create can be removed here.',
    cleanUp: 'Clean up',
    nothingMade: 'Nothing was created',
    noRecordings: 'This server makes no recordings. The commands work nevertheless.',
    next: 'Next chapter',
  },
  {
    chapters: '章节',
    made: (count: number) => `你运行的命令在集群中创建了 ${count} 个对象。`,
    nothing: '命令以你的权限在此集群中运行。创建的对象可以在这里清除。',
    cleanUp: '清理',
    nothingMade: '没有创建任何对象',
    noRecordings: '此服务器不提供记录，因此没有命令的记录，但命令照常运行。',
    next: '下一章',
  },
);

interface Read {
  readonly contents: Contents;
  readonly id: string;
  readonly blocks: readonly Block[];
}

const steps: Readonly<Record<string, number>> = { j: 1, k: -1 };

export default function Tour() {
  const [read, setRead] = useState<Read | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const [chosen] = segmentsOf(currentPath.value);
  const tongue = language.value;
  useEffect(() => {
    let hasLeft = false;
    readTour(chosen).then(
      (next) => hasLeft || (setRead(next), setFailure(undefined)),
      (reason: unknown) => hasLeft || setFailure(reason),
    );
    return () => {
      hasLeft = true;
    };
  }, [chosen, tongue]);
  const index = read?.contents.chapters.findIndex(({ id }) => id === read.id) ?? -1;
  useSteps(steps, (step) => {
    const next = read?.contents.chapters[index + step];
    if (next !== undefined) go(chapterPath(next.id));
  });
  if (failure !== undefined) return <Failed failure={failure} />;
  if (read === undefined) return <Loading lines={12} />;
  const { contents, blocks, id } = read;
  const next = contents.chapters[index + 1];
  return (
    <div class="tour">
      <nav class="tour-chapters" aria-label={text().chapters}>
        <ol>
          {contents.chapters.map((chapter, at) => (
            <li key={chapter.id}>
              <a href={chapterPath(chapter.id)} aria-current={chapter.id === id ? 'page' : undefined}>
                <span class="tour-number">{at + 1}</span>
                {chapter.title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <div class="tour-chapter">
        <Traces />
        {!facts.value.canRecord && <p class="tour-note panel-note">{text().noRecordings}</p>}
        <ChapterText key={id} chapter={id} blocks={blocks} />
        {next !== undefined && (
          <a class="button tour-next" href={chapterPath(next.id)}>
            {text().next}: {next.title}
          </a>
        )}
      </div>
    </div>
  );
}

/** The first chapter if none is selected. */
async function readTour(chosen: string | undefined): Promise<Read> {
  const contents = await readContents(readTourFile, language.peek());
  const id = chosen || (contents.chapters[0]?.id ?? '');
  return { contents, id, blocks: await readChapter(readTourFile, language.peek(), id) };
}

/** The objects left in the cluster, and a button to delete them. */
function Traces() {
  const [isBusy, setBusy] = useState(false);
  const count = made.value.length;
  const clean = async (): Promise<void> => {
    setBusy(true);
    await cleanUp();
    setBusy(false);
  };
  return (
    <div class="tour-traces tool-bar">
      <span class="tool-note panel-note" role="status">
        {count === 0 ? text().nothing : text().made(count)}
      </span>
      <Button
        icon="trash"
        unless={count === 0 || isBusy ? text().nothingMade : undefined}
        onPress={() => detach(clean())}
      >
        {text().cleanUp}
      </Button>
    </div>
  );
}
