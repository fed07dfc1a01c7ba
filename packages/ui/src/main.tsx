/** The page begins: the session, the kinds of the cluster, and the frame in which the pages stand. */

import { render } from 'preact';
import './design/fonts.css';
import './design/tokens.css';
import './design/base.css';
import './design/theme.ts';
import './controls/controls.css';
import { readFacts } from './cluster/cluster.ts';
import { readKinds } from './cluster/kinds.ts';
import { language, speak } from './language/language.ts';
import { currentPath, followLinks, go } from './navigation/route.ts';
import { preloadPage, Shell } from './shell/shell.tsx';
import { SignedOut } from './shell/signed-out.tsx';

const root = document.querySelector('#page')!;

speak(language.value);
forgetToken();
followLinks();
void start();

/** Awaited by nobody: pages import from the file that this is built into, and could not be loaded before it has run. */
async function start(): Promise<void> {
  const page = preloadPage(currentPath.value);
  try {
    await readFacts();
    void readKinds();
    await page;
    render(<Shell />, root);
  } catch {
    render(<SignedOut />, root);
  }
}

/** The token has become a session, and can be used no more. */
function forgetToken(): void {
  const query = new URLSearchParams(location.search);
  if (!query.has('token')) return;
  query.delete('token');
  const rest = query.toString();
  go(location.pathname + (rest === '' ? '' : `?${rest}`), { replace: true });
}
