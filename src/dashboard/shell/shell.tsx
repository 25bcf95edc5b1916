// The frame: who is signed in, which screen the address asks for, and everything around it. A screen that fails shows what went wrong in its place; the frame
// stays.
import { useSignal } from '@preact/signals';
import type { ComponentType, FunctionComponent } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import { path } from '../address/router.ts';
import { covers, type Found, findScreen, type Screen as ScreenEntry, type ScreenProps } from '../address/screens.ts';
import { asProblem } from '../api/problem.ts';
import { startUpdates } from '../live/updates.ts';
import { Empty } from '../parts/empty.tsx';
import { ProblemNote } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Toasts } from '../parts/toasts.tsx';
import { Banner } from './banner.tsx';
import { Header } from './header.tsx';
import { Help } from './help.tsx';
import { Nav } from './nav.tsx';
import { Palette } from './palette-dialog.tsx';
import { isSignedOut, readSession, session, sessionProblem } from './session.ts';
import { startShortcuts } from './shortcuts.ts';
import { SignIn } from './sign-in.tsx';

const loaded = new Map<ScreenEntry, ComponentType<ScreenProps>>();
const AGAIN_MS = 2_000;

export function Shell() {
  useEffect(() => {
    void readSession();
    startShortcuts();
  }, []);
  useEffect(() => {
    if (sessionProblem.value === null) return;
    const timer = setTimeout(() => void readSession(), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [sessionProblem.value]);
  const isIn = session.value !== null;
  useEffect(() => {
    if (isIn) startUpdates();
  }, [isIn]);
  if (isSignedOut.value) return <SignIn />;
  if (!isIn)
    return (
      <main class="starting">
        {sessionProblem.value && <ProblemNote problem={sessionProblem.value} onRetry={() => void readSession()} />}
      </main>
    );
  return <Frame />;
}

function Frame() {
  const isNavOpen = useSignal(false);
  const found = findScreen(path.value);
  const title = found?.screen.title ?? 'Not found';
  useEffect(() => {
    document.title = title === 'Overview' ? 'Windrow' : `${title} · Windrow`;
  }, [title, path.value]);
  return (
    <div class={found?.screen.isBare ? 'frame bare' : 'frame'}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      {!found?.screen.isBare && (
        <Nav
          isOpen={isNavOpen.value}
          onClose={() => {
            isNavOpen.value = false;
          }}
        />
      )}
      <div class="column">
        <Header
          title={title}
          onMenu={() => {
            isNavOpen.value = !isNavOpen.value;
          }}
        />
        <Banner />
        <main id="main" tabIndex={-1}>
          {found ? <Loaded key={path.value} found={found} /> : <Nowhere />}
        </main>
      </div>
      <Toasts />
      <Palette />
      <Help />
    </div>
  );
}

const Nowhere: FunctionComponent = () => (
  <Empty isPage icon="search" title="There is no such page">
    The address may have been mistyped. <a href="/">Go to the overview</a>
  </Empty>
);

function Loaded({ found: { screen, params } }: { found: Found }) {
  const failure = useSignal<unknown>(null);
  const arrived = useSignal(loaded.get(screen) ?? null);
  const [broken, reset] = useErrorBoundary((error) => console.error(error));
  useEffect(() => {
    if (arrived.value) return;
    screen.load().then(
      ({ Screen }) => {
        loaded.set(screen, Screen);
        arrived.value = Screen;
      },
      (error: unknown) => {
        failure.value = error;
      },
    );
  }, [screen, arrived, failure]);
  if (!covers(session.value!.scope, screen.scope))
    return (
      <Empty isPage icon="key" title="This needs another key">
        It needs a key with scope {screen.scope}, and you are signed in with one of scope {session.value!.scope}.
      </Empty>
    );
  if (broken) return <ProblemNote problem={asProblem(broken)} onRetry={reset} />;
  // Scripts of an older version are gone after an update.
  if (failure.value) return <ProblemNote problem={asProblem(failure.value)} onRetry={() => location.reload()} />;
  if (!arrived.value) return <Skeleton />;
  const Screen = arrived.value;
  return <Screen params={params} />;
}
