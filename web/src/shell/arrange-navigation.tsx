import { ArrowDown, ArrowUp } from 'lucide-react'
import * as t from '#locale/shell'
import { Button, IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { DEFAULT_PAGES, movePage, NAVIGATION, type NavigationItem, type PinnedPages } from './navigation.ts'

interface MoveButtonProps {
  label: string
  icon: typeof ArrowUp
  disabled: boolean
  onClick: () => void
}

/** Stays focusable at the ends of the list, so that the focus is not lost after the last step. */
const MoveButton = ({ label, icon: Icon, disabled, onClick }: MoveButtonProps) => (
  <IconButton
    icon={Icon}
    iconSize={16}
    label={label}
    title={label}
    aria-disabled={disabled}
    onClick={disabled ? undefined : onClick}
  />
)

interface ArrangeNavigationProps {
  open: boolean
  pinned: PinnedPages
  onChange: (pages: PinnedPages) => void
  onClose: () => void
}

/** Chooses the pages of the navigation and their order. Each change applies at once. */
export const ArrangeNavigation = ({ open, pinned, onChange, onClose }: ArrangeNavigationProps) => {
  const others = NAVIGATION.filter((page) => !pinned.includes(page))
  const toggle = (page: NavigationItem) =>
    onChange(pinned.includes(page) ? pinned.filter((each) => each !== page) : [...pinned, page])
  return (
    <Dialog open={open} onClose={onClose} title={t.arrangeNavigation} about={t.arrangeNavigationHelp}>
      <ul className="rows">
        {[...pinned, ...others].map((page) => {
          const isPinned = pinned.includes(page)
          return (
            <li key={page.href}>
              <label className="check row-main">
                <input
                  type="checkbox"
                  checked={isPinned}
                  // Without a pinned page, the phone would have no tab.
                  disabled={isPinned && pinned.length === 1}
                  onChange={() => toggle(page)}
                />
                <span>{page.label}</span>
              </label>
              {isPinned && (
                <div className="row-actions">
                  <MoveButton
                    label={t.movePageUp(page.label)}
                    icon={ArrowUp}
                    disabled={page === pinned[0]}
                    onClick={() => onChange(movePage(pinned, page, -1))}
                  />
                  <MoveButton
                    label={t.movePageDown(page.label)}
                    icon={ArrowDown}
                    disabled={page === pinned.at(-1)}
                    onClick={() => onChange(movePage(pinned, page, 1))}
                  />
                </div>
              )}
            </li>
          )
        })}
      </ul>
      <div className="dialog-actions">
        <Button onClick={() => onChange(DEFAULT_PAGES)}>{t.resetNavigation}</Button>
        <Button kind="primary" data-first="true" onClick={onClose}>
          {t.navigationDone}
        </Button>
      </div>
    </Dialog>
  )
}
