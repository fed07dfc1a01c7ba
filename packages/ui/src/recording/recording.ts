/**
 * The page of a recording, which `@coxswain/trace` also writes as a single file. Here it shows the recording passed to
 * the server, or one that the user chooses.
 */

import { detach } from '@coxswain/apimachinery/detach.ts';
import '@coxswain/trace/page/page.css';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { parseRecording } from '@coxswain/trace/recording.ts';
import { inLanguages } from '../language/language.ts';
import './recording.css';

const text = inLanguages(
  {
    gone: 'The cluster does not keep this recording any more',
    title: 'Recordings',
    open: 'Drop a recording here, or',
    choose: 'Choose a file',
    how: 'Make one with “Record” in the history of an object, or with “coxswain trace -o json=FILE”.',
    back: 'Back to the cluster',
    large: (name: string, mebibytes: number) => `${name} is larger than ${mebibytes} MiB`,
  },
  {
    gone: '集群已不再保留此记录',
    title: '记录',
    open: '将记录文件拖到此处，或',
    choose: '选择文件',
    how: '可在对象的“历史”页点击“开始记录”，或使用“coxswain trace -o json=FILE”。',
    back: '返回集群',
    large: (name: string, mebibytes: number) => `${name} 超过 ${mebibytes} MiB`,
  },
);

/** The maximum size that browsers can handle as one string. */
const bytesMax = 500 * 1024 * 1024;

detach(open());

/** Not awaited at the top level: what it loads imports from the bundle that contains this module. */
async function open(): Promise<void> {
  try {
    const query = new URLSearchParams(location.search);
    if (query.has('token')) history.replaceState(undefined, '', location.pathname + location.hash);
    await show((await textOfCluster(query)) ?? (await textOfServer()) ?? (await chosenText()));
    document.querySelector('header')?.prepend(backLink('←'));
  } catch (failure) {
    say(messageOf(failure));
  }
}

/** Shows a recording. The page from `@coxswain/trace` finds it in the same place as in its single-file form. */
async function show(recording: string): Promise<void> {
  parseRecording(recording);
  document.querySelector('#opening')?.remove();
  const data = document.createElement('template');
  data.id = 'recording';
  data.textContent = recording;
  document.body.append(data);
  await import('@coxswain/trace/page/main.ts');
}

/** The part of the cluster's recording that belongs to one trace. Undefined if the address does not name one. */
async function textOfCluster(query: URLSearchParams): Promise<string | undefined> {
  const [id, trace] = [query.get('id'), query.get('trace')];
  if (id === null || trace === null) return undefined;
  const answer = await fetch(`/cluster/debug/coxswain/recording/${encodeURIComponent(id)}`, {
    headers: { 'x-coxswain-ui': '1' },
  });
  if (!answer.ok) throw new Error(text().gone);
  const recording = parseRecording(await answer.text());
  const undertakings = recording.undertakings.filter(({ traceId }) => traceId === trace);
  return JSON.stringify({ ...recording, undertakings });
}

/** The recording that the page's server was started with, if any. */
async function textOfServer(): Promise<string | undefined> {
  const answer = await fetch('/recording.json');
  return answer.ok ? answer.text() : undefined;
}

/** The recording that the user opens or drops. */
function chosenText(): Promise<string> {
  const opening = document.createElement('div');
  opening.id = 'opening';
  const title = document.createElement('h1');
  title.textContent = text().title;
  const label = document.createElement('label');
  label.textContent = text().open;
  const field = document.createElement('input');
  field.type = 'file';
  // The browser's own field is in its own language and font.
  const choose = document.createElement('span');
  choose.textContent = text().choose;
  label.append(field, choose);
  const how = document.createElement('small');
  how.textContent = text().how;
  opening.append(title, label, how, backLink(text().back));
  document.body.append(opening);
  return new Promise((resolve) => {
    const take = (file: File | undefined): void => {
      if (file === undefined) return;
      if (file.size > bytesMax) return say(text().large(file.name, bytesMax / 1024 / 1024));
      const read = async (): Promise<void> => {
        const recording = await file.text();
        parseRecording(recording);
        resolve(recording);
      };
      read().catch((failure: unknown) => say(`${file.name}: ${messageOf(failure)}`));
    };
    field.addEventListener('change', () => take(field.files?.[0]));
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
      event.preventDefault();
      take(event.dataTransfer?.files[0]);
    });
  });
}

function backLink(words: string): HTMLAnchorElement {
  const back = document.createElement('a');
  back.href = '/';
  back.textContent = words;
  back.title = text().back;
  back.ariaLabel = text().back;
  back.className = 'icon';
  return back;
}

function say(what: string): void {
  const place = document.querySelector('#opening') ?? document.body;
  const said = document.createElement('p');
  said.setAttribute('role', 'alert');
  said.textContent = what;
  place.append(said);
}
