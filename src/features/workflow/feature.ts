import type { LanguageOf } from '../../platform/language.ts'
import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { StructuredAnswers } from '../models/consultation.ts'
import { createAuditRewriter } from './audit-rewriter.ts'
import { createAudits, createPageFetch } from './audits.ts'
import { type AiAnswers, auditRoutes, type ReadModelStatus, workflowRoutes } from './routes.ts'
import { createTemplates } from './templates.ts'

export interface WorkflowNeeds {
  zoneOf: (userId: number) => Promise<string>
  /** Reads the status of the selected model. */
  modelStatus: ReadModelStatus
  structuredAnswers: StructuredAnswers
  languageOf: LanguageOf
  answers: AiAnswers
}

/** Endpoints for external workflow tools. Stores nothing. */
export const createWorkflowFeature = ({ outbound, clock, baseUrl }: Platform, needs: WorkflowNeeds) => {
  const { zoneOf, modelStatus, structuredAnswers, languageOf, answers } = needs
  const audits = createAudits({
    fetchPage: createPageFetch({ outbound, clock }),
    clock,
    reword: createAuditRewriter({ structuredAnswers }),
    languageOf,
  })
  const templates = createTemplates({ baseUrl, zoneOf })
  const routes: FeatureRoutes[] = [
    { prefix: '/api/workflow', plugin: auditRoutes(audits, answers) },
    { prefix: '/api/workflow', plugin: workflowRoutes(modelStatus, templates) },
  ]
  return { audits, routes }
}
