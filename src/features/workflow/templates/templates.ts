import { notFound } from '../../../platform/errors.ts'
import type { N8nWorkflow } from './n8n.ts'
import { RECIPES } from './recipes.ts'

export interface TemplatesDeps {
  baseUrl: () => string
  timezone: () => Promise<string>
}

export type Templates = ReturnType<typeof createTemplates>

/** Workflows that can be imported as they are, with this instance's address in them. */
export const createTemplates = ({ baseUrl, timezone }: TemplatesDeps) => {
  const here = async () => ({ baseUrl: baseUrl(), timezone: await timezone() })
  return {
    async list() {
      const instance = await here()
      return {
        templates: RECIPES.map(({ id, name, description, scopes, build }) => ({
          ...{ id, name, description, tool: 'n8n' as const, scopes: [...scopes] },
          workflow: build(instance),
        })),
        nextCursor: null,
      }
    },
    async get(id: string): Promise<N8nWorkflow> {
      const recipe = RECIPES.find((each) => each.id === id)
      if (!recipe) throw notFound('template')
      return recipe.build(await here())
    },
  }
}
