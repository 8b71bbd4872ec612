// The page as a whole: the campaigns of the server, the one that is open, and whether a token is needed.
import { ApiError, request } from "../api/client";
import type { CampaignRow, CreatedCampaign } from "../api/types";
import { notices } from "./notices.svelte";
import { router } from "./router.svelte";
import { Session } from "./session.svelte";

class App {
    campaigns = $state.raw<CampaignRow[] | undefined>(undefined);
    session = $state.raw<Session | undefined>(undefined);
    needsToken = $state(false);
    failure = $state.raw<unknown>(undefined);
    hasPalette = $state(false);
    hasPanel = $state(false);

    async loadCampaigns(): Promise<void> {
        try {
            const { campaigns } = await request<{ campaigns: CampaignRow[] }>("/api/v1/campaigns");
            this.campaigns = campaigns.toSorted((a, b) => b.updated.localeCompare(a.updated));
            this.needsToken = false;
            this.failure = undefined;
        } catch (error) {
            this.needsToken = error instanceof ApiError && error.status === 401;
            this.failure = error;
        }
    }

    open(id: string | undefined): void {
        if (this.session?.id === id) {
            return;
        }
        this.session?.close();
        this.session = id === undefined ? undefined : new Session(id);
        void this.session?.open();
    }

    // The demo is there already if the server was started with it.
    async playDemo(): Promise<void> {
        const known = this.campaigns?.find((each) => each.id === "demo");
        if (known) {
            router.go(known.id);
            return;
        }
        const made = await request<CreatedCampaign>("/api/v1/campaigns", { json: { id: "demo", table: "demo" } });
        await this.loadCampaigns();
        router.go(made.id);
    }

    async importCard(file: File): Promise<CreatedCampaign> {
        const form = new FormData();
        form.set("card", file);
        const made = await request<CreatedCampaign>("/api/v1/campaigns", { form });
        await this.loadCampaigns();
        return made;
    }

    async remove(id: string): Promise<void> {
        try {
            await request(`/api/v1/campaigns/${encodeURIComponent(id)}`, { method: "DELETE" });
        } catch (error) {
            notices.error(error);
        }
        await this.loadCampaigns();
    }
}

export const app = new App();
