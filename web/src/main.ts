/** The page starts here. */
import { createApp } from 'vue';
import './style/tokens.css';
import './style/page.css';
import './style/stage.css';
import './style/lists.css';
import App from './App.vue';
import { router } from './router';
import { useSettings } from './settings/settings';

useSettings();
createApp(App).use(router).mount('#page');
