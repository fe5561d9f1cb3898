import { Menu } from '@base-ui/react/menu'
import { Check, PanelBottom, PanelRight, PanelsTopLeft, Square } from 'lucide-react'
import * as t from '#locale/mail'
import { type MailLayout, READING_PANES } from '../use-mail-layout.ts'

const ICONS = { right: PanelRight, below: PanelBottom, off: Square } as const

/** Arranges the panes of the mail page. */
export const LayoutMenu = ({ layout }: { layout: MailLayout }) => (
  <Menu.Root>
    <Menu.Trigger
      className="button mail-layout"
      data-kind="quiet"
      data-shape="icon"
      data-size="small"
      aria-label={t.layout}
      title={t.layout}
    >
      <PanelsTopLeft size={16} aria-hidden="true" />
    </Menu.Trigger>
    <Menu.Portal>
      <Menu.Positioner className="menu-place" sideOffset={4} align="end" collisionPadding={8}>
        <Menu.Popup className="menu">
          <Menu.Group>
            <Menu.GroupLabel className="menu-label">{t.readingPane}</Menu.GroupLabel>
            <Menu.RadioGroup value={layout.pane} onValueChange={layout.setPane}>
              {READING_PANES.map((pane) => {
                const Icon = ICONS[pane]
                return (
                  <Menu.RadioItem key={pane} value={pane} className="menu-item" closeOnClick>
                    <Icon size={17} aria-hidden="true" />
                    {t.readingPanes[pane]}
                    <Menu.RadioItemIndicator className="menu-note">
                      <Check size={16} aria-hidden="true" />
                    </Menu.RadioItemIndicator>
                  </Menu.RadioItem>
                )
              })}
            </Menu.RadioGroup>
          </Menu.Group>
          {layout.canShowFolders && (
            <>
              <Menu.Separator className="menu-rule" />
              <Menu.CheckboxItem
                className="menu-item"
                checked={layout.hasFolders}
                onCheckedChange={layout.toggleFolders}
                closeOnClick
              >
                {t.folderColumn}
                <Menu.CheckboxItemIndicator className="menu-note">
                  <Check size={16} aria-hidden="true" />
                </Menu.CheckboxItemIndicator>
              </Menu.CheckboxItem>
            </>
          )}
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.Root>
)
