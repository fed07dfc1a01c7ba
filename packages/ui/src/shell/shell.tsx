/** The frame of all pages: navigation, the top bar, dialogs that open anywhere, and announcements. */

import { ErrorBoundary, lazy } from '../controls/lazy-page.tsx';
import { currentPath } from '../navigation/route.ts';
import { pageOf, pages, type PageDefinition } from '../pages/pages.ts';
import { Empty } from '../controls/notice.tsx';
import { inLanguages } from '../language/language.ts';
import { attempt } from '../cluster/attempt.ts';
import { facts } from '../cluster/cluster.ts';
import { useRefreshedKinds } from './refreshed-kinds.ts';
import { Announcements } from '../controls/announcements.tsx';
import { Connection } from './connection.tsx';
import { Help } from './help.tsx';
import { useShortcuts } from './shortcuts.ts';
import { Palette } from './palette/palette.tsx';
import { Sidebar } from './sidebar/sidebar.tsx';
import { TopBar } from './top-bar.tsx';
import './shell.css';

const text = inLanguages(
  {
    skip: 'Skip to the content',
    missing: 'Page not found',
    back: 'The address may be mistyped.',
    hidden: 'Not available in this cluster',
    hiddenWhy: 'The server does not support it, or you may not use it.',
  },
  {
    skip: '跳到内容',
    missing: '没有这个页面',
    back: '地址可能输入有误。',
    hidden: '此集群没有这项功能',
    hiddenWhy: '服务器未提供，或你无权使用。',
  },
);

export function Shell() {
  useShortcuts();
  useRefreshedKinds();
  const page = pageOf(currentPath.value);
  document.title = [page?.title(), facts.value.cluster, 'Coxswain'].filter(Boolean).join(' · ');
  return (
    <div class="shell">
      <a class="skip-link" href="#main">
        {text().skip}
      </a>
      <Sidebar />
      <div class="shell-column">
        <TopBar />
        <Connection />
        <main id="main" tabIndex={-1}>
          {page === undefined ? (
            <Empty title={text().missing}>{text().back}</Empty>
          ) : page.navigation?.isShown?.() === false ? (
            <Empty title={text().hidden}>{text().hiddenWhy}</Empty>
          ) : (
            <PageOf page={page} />
          )}
        </main>
      </div>
      <Palette />
      <Help />
      <Announcements />
    </div>
  );
}

const components = new Map(pages.map((page) => [page, lazy(page.load)]));

/** Loads a page before the frame is drawn. A failure to load is reported where the page is displayed. */
export async function preloadPage(path: string): Promise<void> {
  const page = pageOf(path);
  if (page !== undefined)
    await components
      .get(page)!
      .preload()
      .catch(() => undefined);
}

const PageOf = ({ page }: { readonly page: PageDefinition }) => {
  const Page = components.get(page)!;
  return (
    <ErrorBoundary key={`${page.room} ${attempt.value}`}>
      <Page />
    </ErrorBoundary>
  );
};
