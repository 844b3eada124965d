/** The pages and their addresses. Addresses live behind the #, so that any web server can host the page. */
import { createRouter, createWebHashHistory } from 'vue-router';
import { backend } from './api/backend';

/** A page in the navigation. */
export interface PageLink {
  name: string;
  path: string;
  title: string;
}

export const PAGES: PageLink[] = [
  { name: 'play', path: '/play', title: 'Play' },
  { name: 'analyse', path: '/analyse', title: 'Analyse' },
  { name: 'inside', path: '/inside', title: 'Look inside' },
  ...(backend.hasWorkspace
    ? [
        { name: 'networks', path: '/networks', title: 'Networks' },
        { name: 'runs', path: '/runs', title: 'Runs' },
        { name: 'matches', path: '/matches', title: 'Matches' },
      ]
    : []),
];

export const router = createRouter({
  history: createWebHashHistory(),
  routes: [
    { path: '/', redirect: '/play' },
    { path: '/play/:id?', name: 'play', component: () => import('./pages/play/PlayPage.vue') },
    { path: '/analyse', name: 'analyse', component: () => import('./pages/analyse/AnalysePage.vue') },
    { path: '/inside', name: 'inside', component: () => import('./pages/inside/InsidePage.vue') },
    { path: '/networks/:id(.*)*', name: 'networks', component: () => import('./pages/networks/NetworksPage.vue') },
    { path: '/runs/:id(.*)*', name: 'runs', component: () => import('./pages/runs/RunsPage.vue') },
    { path: '/matches/:id(.*)*', name: 'matches', component: () => import('./pages/matches/MatchesPage.vue') },
    { path: '/:rest(.*)*', redirect: '/play' },
  ],
});

router.afterEach((to) => {
  const page = PAGES.find(({ name }) => name === to.name);
  document.title = page ? `${page.title} · Kiebitz` : 'Kiebitz';
});
