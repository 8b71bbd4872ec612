import { mount } from "svelte";
import App from "./App.svelte";
import { locale } from "./i18n/index.svelte";
import { preferences } from "./state/preferences.svelte";
import { router } from "./state/router.svelte";
import "./styles/tokens.css";
import "./styles/base.css";

locale.apply();
preferences.start();
router.start();
const target = document.getElementById("app");
if (target) {
    mount(App, { target });
}
