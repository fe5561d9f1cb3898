import { ListFilter, PencilLine, Play, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import * as mailTexts from '#locale/mail'
import * as t from '#locale/mail-rules'
import * as common from '#locale/shared-texts'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, FormDialog } from '../../../ui/dialog.tsx'
import { ListCard } from '../../../ui/list-card.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { OptimisticCheckbox } from '../../../ui/optimistic-checkbox.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { Row } from '../../../ui/rows.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import { type MailRuleInput, RuleDialog } from './rule-dialog.tsx'
import { describeRuleActions, type MailRule } from './rule-words.ts'
import { useDryRun, usePendingRuleDeletions, useRuleActions, useRules } from './use-rules.ts'
import './rules.css'

/** Shows the result of a dry run before running a rule. */
const RunDialog = ({ rule, onClose }: { rule: MailRule | null; onClose: () => void }) => {
  const ruleActions = useRuleActions()
  const displayed = useLastValue(rule)
  const query = useDryRun(rule)
  const title = t.runTitle(displayed?.name ?? '')
  if (rule && query.data && query.data.changed > 0) {
    const { found, changed, more } = query.data
    return (
      <FormDialog
        open
        onClose={onClose}
        title={title}
        about={
          <>
            <p>{t.matches(found)}</p>
            {more && <p>{t.runOlder}</p>}
            <p>{t.runActions({ count: changed, actions: describeRuleActions(rule.does) })}</p>
          </>
        }
        action={t.runNow}
        savedAs={null}
        onSubmit={async () => {
          await ruleActions.run(rule)
          onClose()
        }}
      />
    )
  }
  return (
    <Dialog open={rule !== null} onClose={onClose} title={title}>
      <Loaded query={query} lines={2}>
        {({ found }) => <p>{found === 0 ? t.noMatches : t.nothingToChange}</p>}
      </Loaded>
      <div className="dialog-actions">
        <Button onClick={onClose}>{common.close}</Button>
      </div>
    </Dialog>
  )
}

const BLANK: MailRuleInput = { key: 'mail-rule', name: '', q: '' }

interface RowProps {
  rule: MailRule
  onEdit: (rule: MailRule) => void
  onRun: (rule: MailRule) => void
}

const RuleRow = ({ rule, onEdit, onRun }: RowProps) => {
  const ruleActions = useRuleActions()
  return (
    <Row
      data-off={!rule.enabled}
      data-wraps="true"
      icon={ListFilter}
      title={
        <button type="button" className="row-words rule-name" onClick={() => onEdit(rule)}>
          {rule.name}
        </button>
      }
      actions={
        <>
          <label className="rule-switch">
            <OptimisticCheckbox
              aria-label={t.applyRule(rule.name)}
              checked={rule.enabled}
              onChange={(enabled) => ruleActions.turn(rule, enabled)}
            />
            <span aria-hidden="true">{rule.enabled ? t.on : t.off}</span>
          </label>
          <RowMenu
            label={t.actionsFor(rule.name)}
            actions={[
              { label: t.runNow, icon: Play, onSelect: () => onRun(rule) },
              { label: common.edit, icon: PencilLine, onSelect: () => onEdit(rule) },
              { label: common.remove, icon: Trash2, onSelect: () => ruleActions.remove(rule) },
            ]}
          />
        </>
      }
    >
      <p className="row-notes">
        <code>{rule.q}</code>
      </p>
      <p className="row-notes">
        <span>{describeRuleActions(rule.does)}</span>
      </p>
    </Row>
  )
}

/** Rules for incoming mail. */
export const Rules = () => {
  const query = useRules()
  const pendingDeletions = usePendingRuleDeletions()
  const [ruleInput, setRuleInput] = useState<MailRuleInput | null>(null)
  const [running, setRunning] = useState<MailRule | null>(null)
  return (
    <Page
      title={mailTexts.rules}
      within={mailTexts.mail}
      about={t.about}
      above={
        <Link href="/mail" className="back">
          {mailTexts.folders.inbox}
        </Link>
      }
    >
      <ListCard
        id="mail-rules"
        title={t.yourRules}
        add={{ label: t.newRule, onClick: () => setRuleInput(BLANK) }}
        query={query}
        itemsOf={({ mailRules }) => mailRules.filter(({ id }) => !pendingDeletions.has(id))}
        empty={{ icon: ListFilter, title: t.noRules, about: t.noRulesAbout }}
      >
        {(rule) => <RuleRow key={rule.id} rule={rule} onEdit={setRuleInput} onRun={setRunning} />}
      </ListCard>
      <RuleDialog ruleInput={ruleInput} onClose={() => setRuleInput(null)} />
      <RunDialog rule={running} onClose={() => setRunning(null)} />
    </Page>
  )
}
