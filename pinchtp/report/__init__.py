"""Reports: a game measured, and shown as one page.

`experiment` says what an experiment is, `section` what a section of the report is; each subject,
such as `balance`, measures in experiments and explains its results in a section. Experiments work
in units that are kept one by one, so that a run can end at any moment and go on later. `run` shares
the time among them, `store` keeps the results, and `page` writes the page.
"""
